import type { SenderEvent } from '@lanyard/bundler'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

/** Lines that somebody may have to act on; the others are usual. */
const warnings: ReadonlySet<SenderEvent['kind']> = new Set([
  'lost',
  'emptied',
  'refused',
  'reverted',
  'underpaid',
  'over-limit',
])

const sentences = {
  sent: 'a relayer sent a transaction',
  resent: 'a relayer sent a transaction again',
  lost: 'a node dropped a transaction of a relayer and does not take it again: its operations wait again',
  replaced: 'a relayer replaced a stuck transaction',
  emptied: 'a relayer replaced a stuck transaction by an empty one',
  refused: 'a node did not accept a transaction of a relayer',
  reverted: 'a transaction of a relayer reverted, and nobody pays its gas',
  underpaid: 'the operations of a transaction paid less than it cost its relayer',
  'over-limit':
    'a transaction of a relayer waits: what its operations do not pay is more than relayerLossPerHour allows',
} as const satisfies Record<SenderEvent['kind'], string>

/** Counts and logs each send, refusal and replacement of a relayer's transaction. Fees and losses in wei. */
export const observeRelayers =
  (metrics: Metrics, log: Logger) =>
  (event: SenderEvent): void => {
    metrics.countRelayerEvent(event)
    const { network, sender: relayer, nonce, hash, fees, age, reason, kind, loss } = event
    const line = {
      ...{ network, relayer, nonce, hash, age, reason },
      maxFeePerGas: String(fees.maxFeePerGas),
      maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      ...(loss > 0n && { loss: String(loss) }),
    }
    log[warnings.has(kind) ? 'warn' : 'info'](line, sentences[kind])
  }
