import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { Webhook } from 'standardwebhooks'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'
import type { ScreeningVerdict, screeningPurposes } from '../../../platform/metrics/label-values.ts'
import { version } from '../../../platform/version.ts'
import { describeScreenedCall, isExempt, partiesOf } from './screened-calls.ts'

/** What the service is about to do: pay for the gas, lend liquidity, or send to the chain. */
export type ScreeningPurpose = (typeof screeningPurposes)[number]

interface ScreeningRequest {
  readonly purpose: ScreeningPurpose
  readonly network: Network
  /** In any letter case. */
  readonly account: string
  /** Undefined when they cannot be read from the call data. */
  readonly calls: readonly Call[] | undefined
  /** The name of the caller's API key; undefined without one. */
  readonly caller?: string | undefined
  /** Once it is known. */
  readonly userOpHash?: string | undefined
}

/** The operator's say in what the service does. It can reject; it moves nothing. */
export interface Screening {
  /**
   * Resolves when the service may go on. Nothing is written before.
   *
   * @throws SCREENING_DENIED, SCREENING_HELD with `retryAfter`, SCREENING_UNAVAILABLE
   */
  ask(request: ScreeningRequest): Promise<void>
}

/** Without SCREENING_URL. */
export const noScreening: Screening = { ask: async () => {} }

const maxRetryAfter = 86_400

const answer = z.object({
  verdict: z.enum(['allow', 'deny', 'hold']),
  /** For the audit log: the caller never sees it. */
  reason: z.string().max(500).optional(),
  /** For the caller. */
  message: z.string().max(300).optional(),
  /** Seconds, of a hold. */
  retryAfter: z.int().min(1).max(maxRetryAfter).optional(),
})

type Answer = z.output<typeof answer>

/** Seconds after which a caller asks again about a hold that names no time. */
const usualRetryAfter = 60

interface ScreeningOutcome {
  readonly request: ScreeningRequest
  readonly verdict: ScreeningVerdict
  readonly reason: string
}

export interface ScreeningSettings {
  readonly url: string
  /** `whsec_…` */
  readonly secret: string
  /** Milliseconds for one answer. */
  readonly timeout: number
  /** What an answer that does not come, or is none, means. */
  readonly onFailure: 'deny' | 'allow'
  readonly now: () => Date
  /** Called with each verdict, before its consequence. */
  readonly observe: (outcome: ScreeningOutcome) => void | Promise<void>
}

/** Asks the operator's program by signed POST requests (Standard Webhooks). */
export function createScreening(settings: ScreeningSettings): Screening {
  const webhook = new Webhook(settings.secret)
  return {
    async ask(request) {
      const { network, calls } = request
      // What stops a recovery, runs one or gets a deposit out is not the operator's to refuse.
      if (calls !== undefined && isExempt(calls, network.config)) return
      const {
        verdict,
        reason = '',
        message,
        retryAfter = usualRetryAfter,
      } = await readVerdict(settings, webhook, request)
      await settings.observe({ request, verdict, reason })
      const words = message === undefined ? {} : { message }
      if (verdict === 'deny') throw new LanyardError('SCREENING_DENIED', words)
      if (verdict === 'hold') throw new LanyardError('SCREENING_HELD', { ...words, details: { retryAfter } })
      if (verdict === 'failed') throw new LanyardError('SCREENING_UNAVAILABLE', { cause: reason })
    },
  }
}

type Verdict = Omit<Answer, 'verdict'> & { readonly verdict: ScreeningVerdict }

async function readVerdict(
  { url, timeout, onFailure, now }: ScreeningSettings,
  webhook: Webhook,
  request: ScreeningRequest,
): Promise<Verdict> {
  const body = JSON.stringify(toBody(request))
  const id = `scr_${crypto.randomUUID()}`
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Lanyard/${version}`,
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now().getTime() / 1000)),
        'webhook-signature': webhook.sign(id, now(), body),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`it answered ${response.status}`)
    }
    return answer.parse(JSON.parse(await readShort(response)))
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    return { verdict: onFailure === 'allow' ? 'allowed unanswered' : 'failed', reason }
  }
}

/** Characters of an answer that are read. */
const maxAnswerLength = 10_000

async function readShort(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxAnswerLength) throw new Error('its answer is too long')
  }
  return text
}

/** Amounts are decimal strings in wei; addresses have their checksum. docs/screening.md describes the members. */
const toBody = ({ purpose, network, account, calls, caller, userOpHash }: ScreeningRequest) => ({
  purpose,
  network: network.chainId,
  account: getAddress(account as Address), // the address of an account of this service
  ...(userOpHash !== undefined && { userOpHash }),
  ...(caller !== undefined && { caller }),
  calls: calls?.map(describeScreenedCall) ?? null,
  parties: calls === undefined ? [] : partiesOf(calls),
})
