import { consoleRouter } from '../../src/console/console-router.ts'
import { Authenticator, type CreationOptions, type RequestOptions } from '../passkeys/authenticator.ts'

const types = Object.fromEntries(
  Object.entries(consoleRouter._def.procedures).map(([path, procedure]) => [
    path,
    (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def.type,
  ]),
)

interface Called {
  readonly input?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A browser at the console, with its cookies and a passkey. */
export function openBrowser(origin: string, cookie?: string) {
  const jars = new Map<string, Map<string, string>>()
  const passkey = new Authenticator(origin)
  const jarOf = (url: string) => {
    const host = new URL(url).host
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=')
    jarOf(origin).set(name, value)
  }

  /** One request, without following where it leads. */
  async function visit(url: string, init: RequestInit = {}) {
    const jar = jarOf(url)
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookies !== '' && { cookie: cookies }), ...(init.headers as object) }
    const response = await fetch(url, { ...init, redirect: 'manual', headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get('location')
    return { response, status: response.status, next: location && new URL(location, url).href }
  }

  /** Follows redirects until one fits, or a page. @returns the last address */
  async function follow(url: string, until: RegExp = /^$/): Promise<string> {
    for (let at = url; ; ) {
      if (until.test(at)) return at
      const { next } = await visit(at)
      if (!next) return at
      at = next
    }
  }

  async function call(path: string, { input, headers }: Called = {}) {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
    const { response } = await visit(`${origin}/trpc/${path}${types[path] === 'query' ? query : ''}`, {
      method: types[path] === 'query' ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      ...(types[path] === 'mutation' && { body: JSON.stringify(input ?? {}) }),
    })
    const body = (await response.json()) as {
      result?: { data: unknown }
      error?: { data: { code: string; message: string } }
    }
    const { code, message } = body.error?.data ?? {}
    return { status: response.status, data: body.result?.data, code, message, response }
  }

  const header = (assertion: unknown) => ({
    'lanyard-confirmation': Buffer.from(JSON.stringify(assertion)).toString('base64url'),
  })

  /** What the passkey signs for an act. */
  async function confirm(act: string, input: unknown = {}) {
    const asked = await call('approvals.confirmation', { input: { act, input } })
    if (asked.status !== 200) throw new TypeError(`${act}: ${asked.message}`)
    const { options, needsSecond } = asked.data as { options: RequestOptions; needsSecond: boolean }
    return { headers: header(passkey.get(options)), options, needsSecond }
  }

  return {
    ...{ visit, follow, call, confirm, header, passkey, jar: () => jarOf(origin) },
    /** An act as the console's pages do it: the passkey confirms it. */
    async act(path: string, input: unknown) {
      const { headers } = await confirm(path, input)
      return call(path, { input, headers })
    },
    /** Asks a second person for an act. */
    async request(act: string, input: unknown) {
      const { headers } = await confirm(act, input)
      const { data, ...rest } = await call('approvals.request', { input: { act, input }, headers })
      return { ...rest, data: data as { id: string; secret: string | null } }
    },
    async enrol() {
      const { data } = await call('session.passkeyOptions')
      const { id, rawId, response } = passkey.create(data as CreationOptions)
      return call('session.addPasskey', { input: { response: { id, rawId, type: 'public-key', response } } })
    },
    /** Signs in at the identity provider. @returns where the browser ends */
    signIn: (to = '/') => follow(`${origin}/sso/start?to=${encodeURIComponent(to)}`),
  }
}

export type TestBrowser = ReturnType<typeof openBrowser>
