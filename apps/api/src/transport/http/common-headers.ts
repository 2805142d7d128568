import type { ServerResponse } from 'node:http'
import { securityHeaders } from './security-headers.ts'

const alike = [
  ...securityHeaders(),
  // Every answer is of its moment, and many are private.
  ...['Cache-Control', 'no-store'],
  ...['Vary', 'Origin'],
]

/** What every answer has: names and values in turn. */
export const commonHeaders = (requestId: string): string[] => [...alike, 'X-Request-Id', requestId]

/** Sets headers, names and values in turn, where others than us write the head. */
export function setAll(response: ServerResponse, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) {
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '')
  }
}
