import type { Address } from 'viem'
import type { Currency } from '../amounts/currency.ts'
import type { SessionCall, SessionSetUp } from '../calls/describe-session-call.ts'
import { KeyName } from '../sessions/key-name.tsx'
import { SessionWords } from '../sessions/session-words.tsx'
import { Details } from '../ui/details.tsx'

interface SessionCallFactsProps {
  readonly description: SessionCall
  /** SessionKeys itself. */
  readonly contract: Address
  readonly currencies: readonly Currency[]
}

/** A grant, sentence by sentence as its bytes say it, or the end of one. */
export function SessionCallFacts({ description, contract, currencies }: SessionCallFactsProps) {
  switch (description.kind) {
    case 'grant-session':
      return (
        <div className="grid gap-4">
          <p className="font-semibold text-xl">Grant a session</p>
          <div className="grid gap-1">
            <p className="text-muted text-sm">to the key</p>
            <KeyName keyId={description.keyId} />
          </div>
          <div className="grid gap-2">
            <p className="text-muted text-sm">which can then do this without asking you, and nothing else:</p>
            <SessionWords session={description.session} currencies={currencies} />
          </div>
          <Details summary="Which contract keeps it">
            <code className="break-all font-mono text-xs">{contract}</code>
          </Details>
        </div>
      )
    case 'revoke-session':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">Revoke a session</p>
          <div className="grid gap-1">
            <p className="text-muted text-sm">of the key, which can then do nothing any more</p>
            <KeyName keyId={description.keyId} />
          </div>
        </div>
      )
    case 'act-in-session':
      return <p className="font-semibold text-xl">Act within a session</p>
  }
}

const setUps = {
  'install-sessions': {
    owner: 'Makes the contract that keeps sessions an owner of your account: it answers for what they sign.',
    module: 'Makes it a module of your account: it carries out what a session allows, and nothing else.',
  },
  'remove-sessions': {
    owner: 'Takes the contract that keeps sessions from the owners of your account.',
    module: 'Takes it from the modules: your account is as it was before the first session.',
  },
} as const

/** What comes with the first session, and goes with the last. */
export function SessionSetUpFacts({ description: { kind, role } }: { description: SessionSetUp }) {
  return <p className="text-muted text-sm">{setUps[kind][role]}</p>
}
