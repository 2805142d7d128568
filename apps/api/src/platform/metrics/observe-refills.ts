import type { RefillEvent, RefillOutcome } from '@lanyard/bundler'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

const sentences = {
  sent: 'the treasury filled up a relayer',
  empty: 'the treasury has too little for a relayer, which stops when its own coins are used up',
  'over-budget': 'relayers spend faster than relayerRefill.perHour fills them up',
  refused: 'the node did not accept a transfer to a relayer',
} as const satisfies Record<RefillOutcome, string>

/** Counts and logs what the treasury does for relayers. Amounts in wei. */
export const observeRefills =
  (metrics: Pick<Metrics, 'countRefill'>, log: Logger) =>
  (event: RefillEvent): void => {
    metrics.countRefill(event)
    const { outcome, network, treasury, relayer, balance, funds, amount, spent, nonce, hash, answer } = event
    const line = {
      ...{ network, treasury, relayer, nonce, hash, answer },
      ...{ balance: String(balance), funds: String(funds), amount: String(amount), spent: String(spent) },
    }
    log[outcome === 'sent' ? 'info' : 'error'](line, sentences[outcome])
  }
