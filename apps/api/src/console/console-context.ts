import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { ActContext } from '../acts/act.ts'
import type { RelyingParty } from '../domain/accounts/passkeys/relying-party.ts'
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
  /** Sets the session's cookie; undefined clears it. */
  readonly setSession: (token: string | undefined) => void
}

/** The context of a procedure that needs a role. */
export interface OperatorContext extends ConsoleContext {
  readonly operator: SignedInOperator
  /** The least role of this procedure. */
  readonly neededRole: OperatorRole
}

/** Runs an act's work in a transaction that has checked the role, and writes its row of the audit log. */
export type RunAct = <T>(context: OperatorContext, work: (act: ActContext) => Promise<T>) => Promise<T>
