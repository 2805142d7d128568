import type { ServerResponse } from 'node:http'

/** Answers with JSON. Express' own `json` looks up the type and its charset for every answer, in several steps. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text) // Node omits it in answers to HEAD
}
