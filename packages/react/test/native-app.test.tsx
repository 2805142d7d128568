// @vitest-environment happy-dom
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { computeAccountAddress, defaultVerifiers } from '@lanyard/accounts'
import { act, cleanup, renderHook } from '@testing-library/react'
import { type ReactNode, useContext } from 'react'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Ceremony, LanyardProvider, useLanyard } from '../src/core.ts'
import { LanyardContext } from '../src/lanyard-context.ts'
import { type FakeService, startFakeService } from './fake-service.ts'
import { App, useSignedIn } from './native-app.tsx'

/* An app on a phone: no page, no storage of a browser, no locks, and abort signals without newer members. */

let service: FakeService
beforeAll(async () => {
  service = await startFakeService()
})
afterAll(() => service[Symbol.asyncDispose]())

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
const hexOf = (text: string) => Buffer.from(text, 'base64url').toString('hex')
const own = computeAccountAddress({
  kind: 'passkey',
  x: BigInt(`0x${hexOf(x)}`),
  y: BigInt(`0x${hexOf(y)}`),
  verifiers: defaultVerifiers,
})
const challenge = Buffer.alloc(32, 7).toString('base64url')
const encode = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')
/** As Android writes it, with the members of its own behind. */
const clientData = (type: string) =>
  Buffer.from(
    JSON.stringify({
      ...{ type, challenge, origin: 'android:apk-key-hash:AQID', androidPackageName: 'com.example.wallet' },
      other_keys_can_be_added_here: 'do not compare clientDataJSON against a template',
    }),
  )

/** What a phone's package returns: no `publicKey`, which only browsers report. */
const attestationObject = () => {
  const rpHash = createHash('sha256').update('localhost').digest('hex')
  const cose = `a5010203262001215820${hexOf(x)}225820${hexOf(y)}`
  const authData = `${rpHash}5d00000000${'00'.repeat(16)}0003010203${cose}`
  const head = 'a363666d74646e6f6e656761747453746d74a0686175746844617461'
  return encode(Buffer.from(`${head}58${(authData.length / 2).toString(16)}${authData}`, 'hex'))
}

const asked: string[] = []
const ceremony: Ceremony = {
  create: async ({ rp }) => {
    asked.push(`create ${rp.id}`)
    return {
      ...{ id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: encode(clientData('webauthn.create')),
        attestationObject: attestationObject(),
      },
    }
  },
  get: async (options) => {
    asked.push(`get ${options.rpId}`)
    const clientDataJSON = clientData('webauthn.get')
    const authenticatorData = Buffer.alloc(37, 1)
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()])
    return {
      ...{ id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: encode(clientDataJSON),
        authenticatorData: encode(authenticatorData),
        signature: encode(sign('sha256', signed, privateKey)),
      },
    }
  },
}

const values = new Map<string, string>()
const storage = {
  getItem: (key: string) => values.get(key) ?? null,
  setItem: (key: string, text: string) => void values.set(key, text),
}
const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <LanyardProvider
    service={service.url}
    network={31_337}
    appId="com.example.wallet"
    ceremony={ceremony}
    storage={storage}
  >
    {children}
  </LanyardProvider>
)

beforeEach(() => {
  values.clear()
  asked.length = 0
  const missing = () => {
    throw new TypeError('Not on a phone')
  }
  vi.stubGlobal('localStorage', { getItem: missing, setItem: missing })
  vi.stubGlobal('AbortSignal', class {})
  vi.stubGlobal('crypto', undefined)
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never)
  vi.spyOn(window, 'addEventListener').mockImplementation((type) => {
    if (type === 'storage') missing()
  })
  service.answers['/v3/webauthn/register/generate-options'] = () => ({
    challenge,
    rp: { id: 'localhost', name: 'App' },
    user: { id: 'AQID', name: 'ken', displayName: 'ken' },
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  })
  service.answers['/v3/webauthn/register/verify'] = () => ({
    username: 'ken',
    token: 'secret-token',
    wallet: { scw_address: own, multi_scw: [] },
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('@lanyard/react/core in an app', () => {
  test('default: creates an account with the given ceremony, proves its address and remembers it', async () => {
    const { result } = renderHook(() => useLanyard(), { wrapper })
    await act(() => result.current.createAccount('ken'))
    expect(result.current.error).toBeUndefined()
    expect(result.current.account).toEqual({ username: 'ken', address: own, proven: true })
    expect(asked).toEqual(['create localhost'])
    expect([...values.values()].join()).toContain(own)
    expect([...values.values()].join()).not.toContain('secret-token')
    cleanup()
    expect(renderHook(() => useLanyard(), { wrapper }).result.current.account?.address).toBe(own)
  })

  test("behavior: the guide's app shows who signed in before", () => {
    const account = { username: 'ken', address: own, proven: true }
    const kept = JSON.stringify({ current: 'ken', accounts: { ken: account } })
    values.set('lanyard.react.accounts.https://wallet.example', kept)
    const phone = {
      passkey: ceremony,
      storage: { getString: (key: string) => values.get(key), set: storage.setItem },
    }
    const { result } = renderHook(() => useSignedIn(), {
      wrapper: ({ children }) => <App phone={phone}>{children}</App>,
    })
    expect(result.current).toEqual(account)
  })

  test("behavior: the guide's app stays signed in when it renders again", () => {
    const phone = {
      passkey: ceremony,
      storage: { getString: (key: string) => values.get(key), set: storage.setItem },
    }
    const { result, rerender } = renderHook(() => useContext(LanyardContext), {
      wrapper: ({ children }) => <App phone={phone}>{children}</App>,
    })
    act(() => result.current?.accounts.signIn({ username: 'ken', address: own, proven: true }, 'token'))
    rerender()
    expect(result.current?.accounts.token()).toBe('token')
  })

  test.each([
    ['UserCancelled', undefined],
    ['TimedOut', undefined],
    ['BadConfiguration', 'WRONG_ORIGIN'],
    ['CredentialAlreadyExists', 'PASSKEY_EXISTS'],
    ['NoCredentials', 'PASSKEY_REFUSED'],
    ['NotSupported', 'PASSKEYS_UNSUPPORTED'],
    ['Native error', 'UNEXPECTED'],
  ] as const)('error: what react-native-passkey throws for %s is %s', async (error, code) => {
    vi.spyOn(ceremony, 'create').mockRejectedValue({ error, message: 'Why' })
    const { result } = renderHook(() => useLanyard(), { wrapper })
    await act(() => result.current.createAccount('ken').catch(() => undefined))
    expect(result.current.error?.code).toBe(code)
    expect(result.current.account).toBeUndefined()
  })

  test('error: FOREIGN_ADDRESS for an address that does not follow from the key of the attestation', async () => {
    service.answers['/v3/webauthn/register/verify'] = () => ({
      username: 'ken',
      token: 'secret-token',
      wallet: { scw_address: `0x${'12'.repeat(20)}`, multi_scw: [] },
    })
    service.answers['/networks'] = () => ({ networks: [] })
    const { result } = renderHook(() => useLanyard(), { wrapper })
    await act(() => result.current.createAccount('ken').catch(() => undefined))
    expect(result.current.error?.code).toBe('FOREIGN_ADDRESS')
    expect(result.current.account).toBeUndefined()
  })
})

test('behavior: the core imports no code of a browser', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: new URL('../src/core.ts', import.meta.url).pathname, formats: ['es'] },
      // The curves call a part of a number a window.
      rolldownOptions: { external: /^(viem|react|@tanstack|@noble)/ },
    },
  })
  const code = [built]
    .flat()
    .flatMap((result) => ('output' in result ? result.output : []))
    .flatMap((chunk) => (chunk.type === 'chunk' ? chunk.code : []))
    .join('\n')
  expect(code).toContain('lanyard.react.accounts')
  expect(code).not.toMatch(
    /\b(document|window|localStorage)\s*\.|browserSupportsWebAuthn|PublicKeyCredential\b/,
  )
})
