import { Authenticator, type Tampering } from '../passkeys/authenticator.ts'
import type { CeremonyChange } from './ceremony-changes.ts'
import { operationOf } from './document.ts'
import { type Fixture, origin } from './fuzz-fixture.ts'
import type { Fuzzer } from './fuzzer.ts'
import { requireAssertion, requireRegistration } from './reference-ceremony.ts'
import type { RestRequest } from './request.ts'
import { tamperingOf } from './tampering.ts'

export const ceremonyNames = ['register', 'credential', 'authenticate', 'discover', 'transaction'] as const
export type CeremonyName = (typeof ceremonyNames)[number]

/** A ceremony with one or more elements changed; the corpus keeps it. */
export interface Ceremony {
  readonly ceremony: CeremonyName
  readonly changes: readonly CeremonyChange[]
}

const rpId = 'localhost'

/** Signature counters up to this one are of the past. */
const storedCounter = 5

const withToken = { authorization: 'Bearer {{userToken}}' }

interface Steps {
  readonly options: RestRequest
  readonly verify: Omit<RestRequest, 'body'>
  /** Where the options for the authenticator stand in the answer. */
  readonly read: (answer: Record<string, unknown>) => unknown
}

const rest = (operation: string, more: Partial<RestRequest> = {}): RestRequest => ({
  transport: 'REST',
  operation,
  ...more,
})

function stepsOf(ceremony: CeremonyName, newcomer: string): Steps {
  const whole = (answer: Record<string, unknown>) => answer
  const inside = ({ passkeyAuthenticationOptions }: Record<string, unknown>) => passkeyAuthenticationOptions
  const named: Pick<RestRequest, 'query'> = { query: [['username', '{{username}}']] }
  const asNewcomer: Pick<RestRequest, 'query'> = { query: [['username', newcomer]] }
  switch (ceremony) {
    case 'register':
      return {
        options: rest('webauthnRegisterOptions', asNewcomer),
        verify: rest('webauthnRegisterVerify', asNewcomer),
        read: whole,
      }
    case 'credential':
      return {
        options: rest('webauthnCredentialOptions', { headers: withToken }),
        verify: rest('webauthnCredentialVerify', { headers: withToken }),
        read: whole,
      }
    case 'authenticate':
      return {
        options: rest('webauthnAuthenticateOptions', named),
        verify: rest('webauthnAuthenticateVerify', named),
        read: inside,
      }
    case 'discover':
      return {
        options: rest('webauthnDiscoverOptions'),
        verify: rest('webauthnDiscoverVerify'),
        read: inside,
      }
    case 'transaction': {
      const body = {
        username: '{{username}}',
        network: '31337',
        transactionDetails: [{ targetContractAddress: '{{payee}}', value: '1', encodedData: '0x' }],
      }
      return {
        options: rest('webauthnTransactionOptions', { body }),
        verify: rest('webauthnTransactionVerify', named),
        read: whole,
      }
    }
  }
}

function reasonToRefuse(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Holds ceremonies with a fixture's passkey, and compares each verdict with the reference. */
export async function createCeremonies(fixture: Fixture, fuzzer: Fuzzer) {
  const { passkey } = fixture.user
  let count = 0
  await resetCounter()

  /** Each ceremony begins with the same counters, whatever the one before has left. */
  async function resetCounter() {
    passkey.counter = storedCounter + 1
    await fixture.database
      .updateTable('credentials')
      .set({ counter: storedCounter })
      .where('id', '=', passkey.id)
      .execute()
  }

  async function ask(request: RestRequest) {
    const { status, text } = await fuzzer.rest(operationOf(request.operation), request)
    return { status, body: JSON.parse(text) }
  }

  /** What the passkey makes of the options, and why the reference refuses it. */
  // biome-ignore lint/suspicious/noExplicitAny: options of either ceremony, as the authenticator takes them
  function respond(ceremony: CeremonyName, options: any, tampering: Tampering) {
    const expected = { challenge: options.challenge, origin, rpId }
    if (ceremony === 'register' || ceremony === 'credential') {
      const sent = new Authenticator(origin).create(options, tampering)
      return { sent, reason: reasonToRefuse(() => requireRegistration(sent, expected)) }
    }
    const { credentialId: id, x, y, userHandle } = passkey
    const sent = passkey.get(options, tampering)
    const stored = { id, x, y, userHandle, counter: storedCounter }
    return { sent, reason: reasonToRefuse(() => requireAssertion(sent, expected, stored)) }
  }

  /** @throws when an answer breaks the document, or accepts what the reference refuses, or refuses an honest one */
  return async function hold({ ceremony, changes }: Ceremony): Promise<{ readonly accepted: boolean }> {
    const { options, verify, read } = stepsOf(ceremony, `newcomer-${count++}`)
    const begun = await ask(options)
    if (begun.status !== 200) throw new Error(`no options: ${JSON.stringify(begun.body)}`)
    const { sent, reason } = respond(ceremony, read(begun.body), tamperingOf(changes))
    const { status, body } = await ask({ ...verify, body: sent })
    const accepted = status === 200
    if (accepted) await resetCounter()
    if (accepted && ceremony === 'transaction') fixture.signed.add(body.userOpHash.toLowerCase())
    if (accepted && reason !== undefined) throw new Error(`accepted, and the reference refuses: ${reason}`)
    if (!accepted && changes.length === 0) throw new Error(`refused though honest: ${JSON.stringify(body)}`)
    return { accepted }
  }
}
