import { endpoints, eventListenInput, LanyardError } from '@lanyard/contracts'
import { findAnyWallet } from '../domain/accounts/accounts/wallet.ts'
import { callerOf } from '../domain/accounts/callers/caller.ts'
import type { EventStream } from '../domain/events/streams/event-streams.ts'
import { currentMeter } from '../platform/log/current-request.ts'
import { requireAccess, requireScope } from './access.ts'
import { inputParser } from './parse-input.ts'
import type { RequestContext } from './request-context.ts'

const parse = inputParser(eventListenInput)

/**
 * Opens a stream of events: of one account, with the credentials that its activity requires, or of all
 * accounts. It works the same over every transport. Its events end with RATE_LIMITED when the caller has used its
 * allowance.
 *
 * @param input - `eventListenInput`, not parsed yet
 * @param gone - aborted when the reader disconnects
 * @throws INVALID_INPUT, UNKNOWN_WALLET, UNAUTHORIZED, FORBIDDEN, RATE_LIMITED
 */
export async function openEventStream(
  context: RequestContext,
  input: unknown,
  gone: AbortSignal,
): Promise<EventStream> {
  const { database, eventStreams, apiKeys } = context.services
  await requireAccess(endpoints.wallet.activity, context)
  const { walletAddress, type, lastEventId } = parse(input)
  const after = lastEventId === undefined ? undefined : Number(lastEventId)
  if (walletAddress === undefined) await requireAllAccounts(context)
  const wallet = walletAddress && (await findAnyWallet(database, { walletAddress, type }))
  const account = wallet?.address.toLowerCase()
  // The stream ends when its reader leaves, or when the key with which it was opened is revoked.
  const ended = new AbortController()
  const leave = AbortSignal.any([gone, ended.signal])
  const revoked = context.apiKey && apiKeys.revocationOf(context.apiKey, leave)
  const signal = revoked ? AbortSignal.any([leave, revoked]) : leave
  try {
    const stream = await eventStreams.open({ caller: callerOf(context), account, after, signal })
    stream.signal.addEventListener('abort', () => ended.abort(), { once: true })
    currentMeter()?.pause() // an open stream waits for others' work
    return { ...stream, events: chargeEvents(stream.events, context) }
  } catch (error) {
    ended.abort()
    throw error
  }
}

/** Charges each event when its reader asks for the next one. */
async function* chargeEvents(
  events: EventStream['events'],
  context: Pick<RequestContext, 'chargeSent'>,
): EventStream['events'] {
  for await (const event of events) {
    yield event
    context.chargeSent()
  }
}

/**
 * Events of all accounts are for servers only, because the number and the activity of accounts are
 * confidential.
 */
async function requireAllAccounts(context: RequestContext): Promise<void> {
  const { apiKey, services } = context
  const { apiKeys, env } = services
  requireScope(context, 'read')
  const isOpen = env.NODE_ENV !== 'production' && !(await apiKeys.needed())
  if (apiKey?.kind === 'secret' || (apiKey === undefined && isOpen)) return
  throw new LanyardError(apiKey ? 'FORBIDDEN' : 'UNAUTHORIZED', {
    message: 'Events of all accounts need a secret API key. Name one account by `walletAddress`.',
  })
}
