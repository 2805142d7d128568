import { createHash } from 'node:crypto'
import { setInterval } from 'node:timers'
import { type EndpointDeclaration, errorTable } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { configure } from 'safe-stable-stringify'
import { callerOf, idempotencyCallerOf } from '../../domain/accounts/callers/caller.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import type { ReservedSpace } from '../../platform/load/meter.ts'
import type { RequestContext } from '../request-context.ts'
import { claimCall, type KeyedCall, renewalInterval, renewClaim, writeAnswer } from './claims.ts'
import { takesIdempotencyKey } from './key-format.ts'
import { replay, storeError, storeOutput } from './stored-answer.ts'

/**
 * Writes a call's answer in the transaction that has the call's effect: both are committed or neither,
 * whenever the process dies. It is for handlers whose effect must not be repeated. For other handlers, the
 * answer is written when they return.
 */
export type KeepAnswer<Output = unknown> = (
  transaction: Transaction<Database>,
  output: Output,
) => Promise<void>

/**
 * The process did not renew its claim in time and another request took over the call: this process's work is
 * rolled back.
 */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

interface Call {
  readonly declaration: EndpointDeclaration
  /** Parsed. */
  readonly input: unknown
  readonly context: RequestContext
}

/**
 * Runs a mutation at most once for each Idempotency-Key of a caller: a request with the same key gets the
 * answer of the first one, and is rejected while that one runs.
 *
 * @throws IDEMPOTENCY_MISMATCH for another input under the key, REQUEST_IN_PROGRESS, RATE_LIMITED when the
 * caller's answers take too much space, and what the handler throws
 */
export async function idempotently<Output>(
  { declaration, input, context }: Call,
  handler: (keepAnswer: KeepAnswer<Output> | undefined) => Promise<Output>,
): Promise<Output> {
  const { idempotencyKey, services } = context
  if (idempotencyKey === undefined || !takesIdempotencyKey(declaration)) return handler(undefined)

  const requestHash = hashRequest(input)
  const call: KeyedCall = {
    caller: await idempotencyCallerOf(context, {
      isProduction: services.env.NODE_ENV === 'production',
      requestHash,
      account: accountOf(input),
    }),
    endpoint: declaration.path,
    key: idempotencyKey,
    requestHash,
  }
  const storage = services.callCosts.keepAnswer(callerOf(context))
  try {
    for (;;) {
      const found = await claimCall(services.database, call, { now: services.now() })
      if (found.kind === 'answered') {
        context.setHeader('Idempotency-Replayed', 'true')
        return replay(found.answer, input) as Output // written by an earlier run of this handler
      }
      try {
        return await runClaimed({ call, claim: found.claim, declaration, context, input, storage }, handler)
      } catch (error) {
        if (!(error instanceof ClaimLost)) throw error
      }
    }
  } finally {
    storage.release()
  }
}

/** The members of an input that name its account. */
export const accountNames = ['walletAddress', 'username', 'eoaAddress', 'account'] as const

function accountOf(input: unknown): readonly unknown[] {
  const members = Object(input) as Partial<Record<(typeof accountNames)[number], unknown>> // the types are unknown
  return accountNames.map((name) => members[name])
}

interface ClaimedCall {
  readonly call: KeyedCall
  readonly claim: string
  readonly declaration: EndpointDeclaration
  readonly context: RequestContext
  /** Parsed. */
  readonly input: unknown
  /** Charged with what is kept. */
  readonly storage: ReservedSpace
}

async function runClaimed<Output>(
  claimed: ClaimedCall,
  handler: (keepAnswer: KeepAnswer<Output>) => Promise<Output>,
): Promise<Output> {
  const { call, claim, declaration, context, input, storage } = claimed
  const { database, checkpoint } = context.services
  let kept = false
  const keepAnswer = async (transaction: typeof database, output: Output) => {
    const answer = storeOutput(declaration.output.parse(output), input)
    storage.charge(answer.length)
    kept = await writeAnswer(transaction, call, { claim, state: 'finished', answer })
    if (!kept) throw new ClaimLost()
  }
  const stopRenewing = keepRenewing(claimed)
  try {
    await checkpoint('idempotency:claimed')
    const output = await handler(keepAnswer)
    // The answer is written before it is sent: a caller who receives no answer retries and must find it.
    if (!kept) await keepAnswer(database, output)
    await checkpoint('idempotency:answered')
    return output
  } catch (error) {
    if (!(error instanceof ClaimLost)) await writeFailure(claimed, error)
    throw error
  } finally {
    stopRenewing()
  }
}

/** Ends the claim; if that fails too, the claim expires. */
async function writeFailure(claimed: ClaimedCall, error: unknown): Promise<void> {
  const { call, claim, context, input, storage } = claimed
  const failure = toLanyardError(error)
  const { isLasting } = errorTable[failure.code]
  const state = isLasting ? 'finished' : 'unfinished'
  // Nobody reads the answer of an unfinished call: the next request runs it again.
  const answer = isLasting ? storeError(failure, context.requestId, input) : ''
  storage.charge(answer.length)
  await writeAnswer(context.services.database, call, { claim, state, answer }).catch((cause: unknown) =>
    context.log.warn({ err: cause }, 'could not end the claim of an Idempotency-Key'),
  )
}

/** Renews a claim while its process is running the call. */
function keepRenewing({ call, claim, context }: ClaimedCall): () => void {
  const { database, now } = context.services
  const timer = setInterval(() => {
    renewClaim(database, call, { claim, now: now() }).catch((error: unknown) =>
      context.log.warn({ err: error }, 'could not renew the claim of an Idempotency-Key'),
    )
  }, renewalInterval).unref()
  return () => clearInterval(timer)
}

/** Members are sorted; amounts, which are bigint after parsing, are written as numbers of any length. */
const stringify = configure({ bigint: true, deterministic: true, strict: true })

/**
 * SHA-256 of a parsed input, hex. The parsed form lets a retry write the same request differently: `eip155:1`
 * for `1`, an address in lower case, members in another order, over the other transport.
 */
export const hashRequest = (input: unknown): string =>
  createHash('sha256')
    .update(stringify(input) ?? '')
    .digest('hex')
