import type { ServerResponse } from 'node:http'
import { securityHeaders } from './security-headers.ts'

const alike = [
  ...securityHeaders(),
  // Every answer reflects the current state, and many are private.
  ...['Cache-Control', 'no-store'],
  ...['Vary', 'Origin'],
]

/** The headers of every answer: names and values alternate. */
export const commonHeaders = (requestId: string): string[] => [...alike, 'X-Request-Id', requestId]

/** Sets headers, given as alternating names and values, when other code writes the head. */
export function setAll(response: ServerResponse, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) {
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '')
  }
}
