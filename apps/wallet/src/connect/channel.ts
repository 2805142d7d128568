import {
  type ConnectFailure,
  type ConnectRequest,
  type ConnectResponse,
  errorCodes,
  type HandshakeMessage,
  isHandshake,
  readInvitation,
} from '@lanyard/connect/protocol'
import { t } from '../i18n/t.ts'

/**
 * - `alone`: no page opened this window, or the invitation is missing
 * - `waiting`: waits for the page's part of the handshake, or for its request
 * - `asked`: the page at `origin`, as reported by the browser, has sent a request
 * - `answered`: the request was answered
 */
type ChannelState =
  | { readonly step: 'alone' | 'waiting' | 'answered' }
  | { readonly step: 'requested'; readonly origin: string; readonly request: ConnectRequest }

export interface Channel {
  getState(): ChannelState
  subscribe(listener: () => void): () => void
  resolve(result: unknown): void
  reject(failure: ConnectFailure): void
}

/** Milliseconds until the window closes itself. The page usually closes it sooner. */
const closingDelay = 1_000

/** The members of a window that the channel uses. */
type PopupWindow = Pick<
  Window,
  'opener' | 'location' | 'addEventListener' | 'removeEventListener' | 'close' | 'setTimeout'
>

/**
 * The wallet's end of the connection to the page that opened this window: one handshake, one request, one
 * answer.
 * See `@lanyard/connect/protocol`.
 */
export function openChannel(popup: PopupWindow): Channel {
  const listeners = new Set<() => void>()
  const opener: Window | null = popup.opener
  const invitation = readInvitation(popup.location.hash)
  let state: ChannelState = { step: opener && invitation ? 'waiting' : 'alone' }
  let port: MessagePort | undefined

  const change = (next: ChannelState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const send = (response: ConnectResponse) => port?.postMessage(response)
  const answer = (response: (id: number) => ConnectResponse) => {
    if (state.step !== 'requested') return
    send(response(state.request.id))
    change({ step: 'answered' })
    popup.setTimeout(() => popup.close(), closingDelay)
  }

  if (opener && invitation) {
    const { nonce, origin } = invitation
    const accept = (event: MessageEvent) => {
      const [given, ...more] = event.ports
      if (event.source !== opener || event.origin !== origin || !given || more.length > 0) return
      if (!isHandshake(event.data, 'lanyard:connect', nonce)) return
      popup.removeEventListener('message', accept)
      port = given
      given.onmessage = ({ data }: { data: unknown }) => {
        const request = readRequestMessage(data)
        if (!request) return
        if (state.step === 'waiting') return change({ step: 'requested', origin: event.origin, request })
        const error = { code: errorCodes.requestPending, message: t('This window takes one request.') }
        send({ id: request.id, error })
      }
    }
    popup.addEventListener('message', accept)
    opener.postMessage({ type: 'lanyard:ready', nonce } satisfies HandshakeMessage, origin)
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    resolve: (result) => answer((id) => ({ id, result })),
    reject: (error) => answer((id) => ({ id, error })),
  }
}

function readRequestMessage(data: unknown): ConnectRequest | undefined {
  const { id, method, params, chainId } = Object(data)
  const isRequest =
    typeof id === 'number' &&
    typeof method === 'string' &&
    Array.isArray(params) &&
    Number.isSafeInteger(chainId)
  return isRequest ? { jsonrpc: '2.0', id, method, params, chainId } : undefined
}
