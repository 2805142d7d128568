import { ConnectError } from './connect-error.ts'
import { errorCodes } from './protocol.ts'

/**
 * Sends one JSON-RPC call over HTTP.
 *
 * @throws ConnectError with the node's error code, or 4900 if the node does not answer
 */
export async function callNode(url: string, method: string, params: unknown): Promise<unknown> {
  const answer = await fetchJson(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = Object(answer.body)
  if (error) throw new ConnectError(error.code, error.message, error.data)
  return result
}

/** @throws ConnectError 4900 if there is no JSON response */
export async function fetchJson(url: string, init?: RequestInit) {
  try {
    const response = await fetch(url, init)
    const body: unknown = await response.json()
    return { status: response.status, body }
  } catch (error) {
    throw new ConnectError(errorCodes.disconnected, `${new URL(url).origin} does not answer: ${error}`)
  }
}
