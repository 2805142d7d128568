import { AgentError } from '../agent/agent-error.ts'
import { isSecureUrl } from '../agent/settings.ts'

/** What the model sees of a page. */
export interface Page {
  readonly status: number
  readonly contentType: string
  /** At most {@link maxText} characters. */
  readonly text: string
  readonly headers: Headers
}

const maxText = 65_536
const maxBytes = 1_048_576
/** Milliseconds. A seller settles on chain before it answers. */
const pageTimeout = 90_000

/** @throws AgentError if the origin is not among the sellers */
export function requireSeller(text: string, sellers: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !isSecureUrl(url) || url.username !== '' || url.password !== '') {
    throw new AgentError(`${JSON.stringify(text)} is not an https URL.`)
  }
  if (!sellers.includes(url.origin)) {
    const known = sellers.length > 0 ? `Allowed: ${sellers.join(', ')}.` : 'None is allowed yet.'
    throw new AgentError(
      `${url.origin} is not among the sellers that this agent may pay. ${known} The person who runs the agent can add it to purse.sellers.`,
    )
  }
  return url
}

/**
 * Requests a page without following redirects, since they could leave the allowed sellers.
 *
 * @throws AgentError if the seller does not answer in time, or answers too much
 */
export async function fetchPage(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
  try {
    const response = await fetch(url, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(pageTimeout),
    })
    const text = await readText(response)
    const contentType = response.headers.get('content-type') ?? ''
    return { status: response.status, contentType, text, headers: response.headers }
  } catch (cause) {
    if (cause instanceof AgentError) throw cause
    throw new AgentError(`${url.origin} did not answer, or answered with a redirect.`, { cause })
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new AgentError(`The answer is larger than ${maxBytes} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text.length > maxText ? `${text.slice(0, maxText)}… (cut)` : text
}
