import type { ServerResponse } from 'node:http'
import { type EndpointDeclaration, errorCodes, errorTable, type LanyardError } from '@lanyard/contracts'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { toErrorAnswer } from '../../pipeline/errors/error-answer.ts'
import { logError } from '../../pipeline/errors/log-error.ts'
import { sendJson } from './headers.ts'
import type { HttpRequestContext } from './http-request-context.ts'

/**
 * Answers with an error body. For a tRPC client that is rejected before tRPC handles the request, the body
 * has tRPC's wrapper.
 */
export function replyError(
  response: ServerResponse,
  error: LanyardError,
  { requestId, log, transport, setHeader }: HttpRequestContext,
  declaration?: EndpointDeclaration,
): void {
  const { status, body } = toErrorAnswer(error, requestId, declaration)
  logError(log, error, status)
  if (response.headersSent) {
    response.destroy()
    return
  }
  setRetryAfter(setHeader, error)
  if (status === 401) setHeader('WWW-Authenticate', 'Bearer')
  const code = TRPC_ERROR_CODES_BY_KEY[errorTable[error.code].trpc]
  const envelope = { error: { message: body.message, code, data: { ...body, httpStatus: status } } }
  sendJson(response, status, transport === 'trpc' ? envelope : body)
}

/** Seconds, if something behind the service does not answer and nobody knows for how long. */
const defaultRetryAfter = 1

/**
 * Says in the header when to try again, in seconds: as the error's details say, or soon if something behind the service
 * does not answer (503), also at endpoints that answer 500 instead.
 */
export function setRetryAfter(
  setHeader: HttpRequestContext['setHeader'],
  { code, details }: LanyardError,
): void {
  const known = details?.retryAfter
  const retryAfter = known ?? (errorTable[code].status === 503 ? defaultRetryAfter : undefined)
  if (typeof retryAfter === 'number') setHeader('Retry-After', String(retryAfter))
}

const toText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Text of the service, in which back quotes mark code. */
const toHtml = (text: string) => toText(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const section = (code: (typeof errorCodes)[number]) => {
  const { status, message, why, todo } = errorTable[code]
  return `<h2 id="${code}">${code} <small>${status}</small></h2>
<p>${toHtml(message)}</p>
<p><b>Why:</b> ${toHtml(why)}</p>
<p><b>What to do:</b> ${toHtml(todo)}</p>`
}

/** The page that explains every code; error bodies link to it. */
export const errorPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lanyard: errors</title>
<style>
:root { color-scheme: light dark }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h2 { font: 1rem ui-monospace, monospace; margin-top: 2rem }
h2:target { outline: 2px solid; outline-offset: 4px }
</style>
</head>
<body>
<h1>Errors</h1>
<p>Every error has a <code>code</code>; <a href="/docs/reference">the API reference</a> says which endpoint answers which.</p>
${errorCodes.map(section).join('\n')}
</body>
</html>
`
