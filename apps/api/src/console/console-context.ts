import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { ActContext, MadeSecret } from '../acts/act.ts'
import type { RelyingParty } from '../domain/accounts/passkeys/relying-party.ts'
import type { IdentityProvider } from '../domain/operators/identity-provider.ts'
import type { OperatorRole } from '../domain/operators/operator-roles.ts'
import type { SignedInOperator } from '../domain/operators/operator-sessions.ts'
import type { Counter } from '../pipeline/rate-limits/counter.ts'
import type { Services } from '../pipeline/services.ts'
import type { Overview } from './overview/overview-reader.ts'

/** What the console's procedures use besides the service's own parts. */
export interface ConsoleServices {
  readonly services: Services
  /** Of the operators' passkeys; not the one of the users. */
  readonly relyingParty: RelyingParty
  /** Ceremonies of one address: 20 a minute. */
  readonly countCeremony: Counter
  readonly overview: Overview
  /** Undefined if operators sign in with passkeys only. */
  readonly provider: IdentityProvider | undefined
  readonly acts: Acts
}

/** The console's own procedures, for an act that was requested before. */
interface Acts {
  /** @throws if the input does not fit the act */
  check(act: string, input: unknown): Promise<void>
  /** Does it in this context. */
  run(context: ConsoleContext, act: string, input: unknown): Promise<void>
}

/** An act that a second person approves now; the context's operator requested it. */
interface GivenApproval {
  readonly id: string
  readonly act: string
  readonly hash: string
  readonly approver: SignedInOperator
  readonly made: MadeSecret | undefined
}

/** A request to the console. */
export interface ConsoleContext extends ConsoleServices {
  readonly requestId: string
  readonly database: Kysely<Database>
  /** The address that the request comes from; an IPv6 one as its /64. */
  readonly address: string
  readonly userAgent: string
  /** Undefined before the sign-in. */
  readonly operator: SignedInOperator | undefined
  /** The token of the operator's session. */
  readonly cookie: string | undefined
  /** The assertion of a passkey that came with the request, unchecked. */
  readonly confirmation: unknown
  /** Undefined unless a second person approves what is done. */
  readonly approval?: GivenApproval | undefined
  /** Sets the session's cookie; undefined clears it. */
  readonly setSession: (token: string | undefined) => void
}

/** The context of a procedure that needs a role. */
export interface OperatorContext extends ConsoleContext {
  readonly operator: SignedInOperator
  /** The least role of this procedure. */
  readonly neededRole: OperatorRole
  /** Whether a break-glass operator acts without the second person that others need. */
  readonly isAlone: boolean
}

/** Runs an act's work in a transaction that has checked the role, and writes its row of the audit log. */
export type RunAct = <T>(context: OperatorContext, work: (act: ActContext) => Promise<T>) => Promise<T>
