import type { Address, Hex } from 'viem'
import type { SendOutcome } from '../sender/send-raw-transaction.ts'

/** What happened to a relayer that has too little. */
export type RefillOutcome =
  /** A transfer to it was signed and sent. */
  | 'sent'
  /** The treasury has too little: the relayer stops when its own coins are used up. */
  | 'empty'
  /** The hour's budget is used up: it waits for the next hour. */
  | 'over-budget'
  /** The node did not accept the transfer. The next pass tries again. */
  | 'refused'

/** Every outcome: a metric shows each of them from the start. */
export const refillOutcomes = [
  'sent',
  'empty',
  'over-budget',
  'refused',
] as const satisfies readonly RefillOutcome[]

/** What the treasury did for a relayer, for logs and metrics. Amounts in wei. */
export interface RefillEvent {
  readonly outcome: RefillOutcome
  readonly network: number
  readonly treasury: Address
  readonly relayer: Address
  /** What the relayer has. */
  readonly balance: bigint
  /** What the treasury has. */
  readonly funds: bigint
  /** What it sends; 0 if nothing. */
  readonly amount: bigint
  /** What the refills of the last hour can cost at most. */
  readonly spent: bigint
  /** Of the transfer. */
  readonly nonce?: number
  readonly hash?: Hex
  /** What the node answered, if it refused. */
  readonly answer?: SendOutcome
}
