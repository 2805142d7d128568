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
import { randomHex } from './random-hex.ts'

/** Milliseconds until the popup must have loaded. */
const readyTimeout = 60_000

/** Milliseconds between checks for a closed popup, since no event reports it. */
const closedInterval = 250

const unreachable = (reason: UnreachableReason, message: string) =>
  new ConnectError(errorCodes.disconnected, message, { reason })

/**
 * Opens the wallet in a popup, sends it one request, and closes it after the answer. The popup opens before
 * the first await, since browsers allow it only while they handle a click.
 *
 * @throws ConnectError 4001 if the person declined or closed the popup, 4900 if the popup could not be
 * reached, or the wallet's own error
 */
export function askWallet(
  walletOrigin: string,
  request: Pick<ConnectRequest, 'method' | 'params' | 'chainId'>,
  onOpen: (popup: Popup) => void,
): Promise<unknown> {
  const page = findPage()
  const nonce = randomHex()
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
  // Older browsers with passkeys have no `Promise.withResolvers`.
  let resolve: (value: unknown) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<unknown>((toResolve, toReject) => {
    resolve = toResolve
    reject = toReject
  })
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
        'The wallet’s window did not answer. This page must not send the header Cross-Origin-Opener-Policy: same-origin.',
      ),
    )
  const lookForEnd = () => {
    if (!popup.closed) return
    if (!isReady) notReady()
    // An answer may still be in transit, so this waits one more interval.
    else if (wasClosed)
      reject(new ConnectError(errorCodes.userRejected, 'The person closed the wallet’s window.'))
    wasClosed = true
  }
  port1.addEventListener('message', (event) => {
    const { data }: { data: ConnectResponse } = event as never // the wallet posts this type
    if (!('error' in data)) return resolve(data.result)
    const { code, message, data: details } = data.error
    reject(new ConnectError(code, message, details))
  })
  port1.start()
  page.addEventListener('message', onMessage)
  const closedTimer = setInterval(lookForEnd, closedInterval)
  const readyTimer = setTimeout(() => {
    if (!isReady) notReady()
  }, readyTimeout)

  return promise.finally(() => {
    page.removeEventListener('message', onMessage)
    clearInterval(closedTimer)
    clearTimeout(readyTimer)
    port1.close()
    popup.close()
  })
}
