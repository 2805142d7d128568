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

/** Who sends, as sentences name it. */
const subjects = {
  relayer: 'a relayer',
  settler: 'the settler',
  topUp: 'the top-up key',
  treasury: 'the treasury',
} as const

type SenderRole = keyof typeof subjects

const sentences = {
  sent: 'WHO sent a transaction',
  resent: 'WHO sent a transaction again',
  lost: 'a node dropped a transaction of WHO and does not take it again: its contents wait again',
  replaced: 'WHO replaced a stuck transaction',
  emptied: 'WHO replaced a stuck transaction by an empty one',
  refused: 'a node did not accept a transaction of WHO',
  reverted: 'a transaction of WHO reverted, and nobody pays its gas',
  underpaid: 'the operations of a transaction paid less than it cost WHO',
  'over-limit':
    'a transaction of WHO waits: what its contents do not pay is more than its hourly limit allows',
} as const satisfies Record<SenderEvent['kind'], string>

/** Logs each send, refusal and replacement of an account's transaction. Fees and losses in wei. */
export const logSender =
  (log: Logger, role: SenderRole) =>
  ({ network, sender, nonce, hash, fees, age, reason, kind, loss }: SenderEvent): void => {
    const line = {
      ...{ network, [role]: sender, nonce, hash, age, reason },
      maxFeePerGas: String(fees.maxFeePerGas),
      maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      ...(loss > 0n && { loss: String(loss) }),
    }
    log[warnings.has(kind) ? 'warn' : 'info'](line, sentences[kind].replace('WHO', subjects[role]))
  }

/** Counts and logs each send, refusal and replacement of a relayer's transaction. */
export const observeRelayers = (metrics: Metrics, log: Logger): ((event: SenderEvent) => void) => {
  const logRelayer = logSender(log, 'relayer')
  return (event) => {
    metrics.countRelayerEvent(event)
    logRelayer(event)
  }
}
