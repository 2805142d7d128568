import { ConnectError, type UnreachableReason } from './connect-error.ts'
import { findPage, type PageMessage, type Popup } from './page.ts'
import {
  type ConnectRequest,
  type ConnectResponse,
  errorCodes,
  type HandshakeMessage,
  invitationUrl,
  isHandshake,
} from './protocol.ts'

/** Milliseconds in which the popup has to be loaded. */
const readyBound = 60_000

/** Milliseconds between checks whether the popup is closed, since no event says so. */
const closedInterval = 250

const unreachable = (reason: UnreachableReason, message: string) =>
  new ConnectError(errorCodes.disconnected, message, { reason })

/**
 * Opens the wallet in a popup, hands it one request and closes it with the answer. The popup is opened before anything
 * is awaited, since browsers open it only while they handle a click.
 *
 * @throws ConnectError 4001 where the person declined or closed the popup, 4900 where it could not be reached, and what the
 * wallet answers
 */
export function askWallet(
  walletOrigin: string,
  request: Pick<ConnectRequest, 'method' | 'params' | 'chainId'>,
  onOpen: (popup: Popup) => void,
): Promise<unknown> {
  const page = findPage()
  const nonce = newNonce()
  const { origin = '' } = page?.location ?? {}
  const popup = page?.open(
    invitationUrl(walletOrigin, { nonce, origin }),
    '_blank',
    'popup,width=420,height=760',
  )
  if (!page || !popup)
    return Promise.reject(unreachable('POPUP_BLOCKED', 'The browser did not open the wallet’s window.'))
  onOpen(popup)

  const { port1, port2 } = new MessageChannel()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  let isReady = false
  let wasClosed = false

  const onMessage = ({ data, origin, source }: PageMessage) => {
    const isWallet = origin === walletOrigin && source === popup
    if (isReady || !isWallet || !isHandshake(data, 'lanyard:ready', nonce)) return
    isReady = true
    popup.postMessage({ type: 'lanyard:connect', nonce } satisfies HandshakeMessage, walletOrigin, [port2])
    port1.postMessage({ jsonrpc: '2.0', id: 1, ...request } satisfies ConnectRequest)
  }
  const notReady = () =>
    reject(
      unreachable(
        'WALLET_NOT_READY',
        'The wallet’s window did not answer. This page must not have the header Cross-Origin-Opener-Policy: same-origin.',
      ),
    )
  const lookForEnd = () => {
    if (!popup.closed) return
    if (!isReady) notReady()
    // An answer may be under way: it gets one more interval.
    else if (wasClosed)
      reject(new ConnectError(errorCodes.userRejected, 'The person closed the wallet’s window.'))
    wasClosed = true
  }
  port1.addEventListener('message', (event) => {
    const { data }: { data: ConnectResponse } = event as never // the wallet holds the other end
    if (!('error' in data)) return resolve(data.result)
    const { code, message, data: details } = data.error
    reject(new ConnectError(code, message, details))
  })
  port1.start()
  page.addEventListener('message', onMessage)
  const closedTimer = setInterval(lookForEnd, closedInterval)
  const readyTimer = setTimeout(() => {
    if (!isReady) notReady()
  }, readyBound)

  return promise.finally(() => {
    page.removeEventListener('message', onMessage)
    clearInterval(closedTimer)
    clearTimeout(readyTimer)
    port1.close()
    popup.close()
  })
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
