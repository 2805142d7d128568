import { canned, signInAs } from '../test/canned-answers.ts'

/** What the service of a case says. Each has an address of its own. */
export type State = 'signed-out' | 'keyless' | 'account' | 'empty' | 'down'

const addressOf = (state: State) => `https://${state}.example`

/** The address of a state's service, at which an account is signed in where the state has one. */
export function signInto(state: State): string {
  if (state !== 'signed-out' && state !== 'keyless') signInAs('mara', addressOf(state))
  return addressOf(state)
}

const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="#7b3f61"/><path d="M12 30q6-6 12 0t12 0" stroke="#fff" stroke-width="3" fill="none"/></svg>',
)}`

const nothing: typeof canned = {
  '/wallet/activity': () => ({ activity: [] }),
  '/wallet/transfers': () => ({ networks: [] }),
  '/smart-account/guardians': () => ({ account: '0x', networks: [], guardians: [] }),
}

/** `fetch` of the gallery. */
export const answerFor: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const { hostname, pathname, searchParams } = new URL(request.url)
  const state = hostname.replace('.example', '')
  if (state === 'down') throw new TypeError('Failed to fetch')
  if (state === 'keyless')
    return Response.json(
      { code: 'UNAUTHORIZED', message: 'A valid API key is required.', missing: 'apiKey', requestId: '-' },
      { status: 401 },
    )
  if (pathname === '/brand') return Response.json({ name: 'Harbour Books', logo })
  const answer = (state === 'empty' ? nothing[pathname] : undefined) ?? canned[pathname]
  if (!answer)
    return Response.json(
      { code: 'INSUFFICIENT_FUNDS', message: 'Not enough.', requestId: '-' },
      { status: 400 },
    )
  return Response.json(answer({}, Object.fromEntries(searchParams)))
}
