import { type DomainFile, domainFiles } from '../../domain/accounts/passkeys/domain-files.ts'
import type { PasskeyDomain } from '../../domain/accounts/passkeys/relying-party.ts'
import { type Finding, type Findings, finding, findingIf } from './finding.ts'

/** The findings of preflight on the domain of passkeys. */
export interface DomainReport {
  /** RP_ID. */
  readonly domain: string
  readonly findings: Findings
}

/** Apple accepts files up to this size, in bytes. */
const maxFile = 128 * 1024

const timeout = 10_000

/**
 * Reads the files of RP_ID as Apple, Google and browsers do: over https without redirects, as JSON. It never throws.
 *
 * @param base - where the domain answers; only tests name another place than `https://` and RP_ID
 * @returns undefined if the configuration needs no file
 */
export async function preflightDomain(
  domain: PasskeyDomain,
  base = `https://${domain.rpId}`,
): Promise<DomainReport | undefined> {
  const files = domainFiles(domain)
  if (files.length === 0) return undefined
  const findings = await Promise.all(files.map((file) => checkFile(base, file)))
  return { domain: domain.rpId, findings: findings.flat() }
}

async function checkFile(
  base: string,
  { path, content, entriesOf }: DomainFile,
): Promise<readonly Finding[]> {
  const url = `${base}${path}`
  const unreadable = (seen: string) =>
    finding('DOMAIN_FILE_UNREADABLE', {
      message: `${url} cannot be read, so the apps and origins in it cannot use the domain's passkeys.`,
      expected: '200 without a redirect, Content-Type: application/json',
      seen,
      fix: `Forward ${path} of this domain to the service, or serve there: ${JSON.stringify(content)}`,
    })
  let response: Response
  let text: string
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    text = await readText(response)
  } catch (error) {
    return unreadable(describeFailure(error))
  }
  const location = response.headers.get('location')
  if (location !== null) return unreadable(`${response.status}, a redirect to ${location}`)
  if (response.status !== 200) return unreadable(`${response.status}`)
  const type = response.headers.get('content-type') ?? 'none'
  if (!/^application\/json\b/i.test(type)) return unreadable(`Content-Type: ${type}`)
  const file = parseJson(text)
  if (file === undefined) return unreadable('no JSON')
  const found = entriesOf(file)
  const expected = entriesOf(content)
  const missing = expected.filter((entry) => !found.includes(entry))
  return findingIf(missing.length > 0, 'DOMAIN_FILE_LACKS', {
    message: `${url} lacks apps or origins of the configuration.`,
    expected: expected.join(', '),
    seen: `without ${missing.join(', ')}`,
    fix: `Forward ${path} of this domain to the service, or add: ${JSON.stringify(content)}`,
  })
}

/** @throws Error for a file that is too large */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxFile) throw new Error(`more than ${maxFile} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** `fetch` says only "fetch failed" and keeps the reason in `cause`. */
function describeFailure(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error ? cause.message : message
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
