// @vitest-environment happy-dom
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { computeAccountAddress, defaultDeployment, defaultVerifiers } from '@lanyard/accounts'
import { epochsAddress, predictOwnershipAddress } from '@lanyard/onchain'
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  LanyardProvider,
  useAuthorize,
  useBalance,
  useLanyard,
  useOperation,
  useSendCalls,
} from '../src/index.ts'
import { type FakeService, startFakeService } from './fake-service.ts'

const thirdParty = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const challenge = Buffer.alloc(32, 7).toString('base64url')

// Limits how long a test can hang. Within the library's own second, a busy machine may not have answered yet.
configure({ asyncUtilTimeout: 180_000 })

let service: FakeService
beforeAll(async () => {
  service = await startFakeService()
})
afterAll(() => service[Symbol.asyncDispose]())

/**
 * A browser whose user creates a passkey and closes every other prompt. The authenticator is not part of the
 * package.
 */
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
const coordinate = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
const own = computeAccountAddress({
  kind: 'passkey',
  x: coordinate(x),
  y: coordinate(y),
  verifiers: defaultVerifiers,
})
const bytes = new Uint8Array([1, 2, 3]).buffer
const prompts = { create: 0, get: 0 }

beforeEach(() => {
  localStorage.clear()
  for (const path of Object.keys(service.answers)) delete service.answers[path]
  service.requested.length = 0
  Object.assign(prompts, { create: 0, get: 0 })
  vi.stubGlobal('PublicKeyCredential', class {})
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      create: async () => {
        prompts.create++
        return {
          id: 'AQID',
          rawId: bytes,
          type: 'public-key',
          getClientExtensionResults: () => ({}),
          response: {
            clientDataJSON: bytes,
            attestationObject: bytes,
            getPublicKey: () => new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })).buffer,
          },
        }
      },
      get: async () => {
        prompts.get++
        throw new DOMException('The prompt was closed.', 'NotAllowedError')
      },
    },
  })
  answerRegistration(own)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function answerRegistration(address: string) {
  service.answers['/v3/webauthn/register/generate-options'] = () => ({
    challenge,
    rp: { id: 'localhost', name: 'App' },
    user: { id: 'AQID', name: 'ken', displayName: 'ken' },
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  })
  service.answers['/v3/webauthn/register/verify'] = () => ({
    username: 'ken',
    token: 'secret-token',
    wallet: { scw_address: address, multi_scw: [] },
  })
}

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <StrictMode>
    <LanyardProvider service={`${service.url}/`} network={31_337}>
      {children}
    </LanyardProvider>
  </StrictMode>
)

describe('useLanyard', () => {
  const render = () => renderHook(() => useLanyard(), { wrapper })

  test('default: creates an account, stores its name and address for the next visit, and never stores its token', async () => {
    const { result } = render()
    await act(() => result.current.createAccount('ken'))
    expect(result.current).toMatchObject({
      status: 'signed-in',
      account: { username: 'ken', address: own, proven: true },
    })
    expect(JSON.stringify({ ...localStorage })).not.toContain('secret-token')
    cleanup()
    const next = render().result
    expect(next.current.account?.address).toBe(own)
    act(() => next.current.signOut())
    cleanup()
    expect(render().result.current.status).toBe('signed-out')
  })

  test('behavior: an account with Ownership, whose address follows from the module’s code', async () => {
    const passkey = {
      kind: 'passkey',
      x: coordinate(x),
      y: coordinate(y),
      verifiers: defaultVerifiers,
    } as const
    const networks = [{ network: 31337, sessionKeys: thirdParty, smartBalance: null }]
    service.answers['/networks'] = () => ({ networks })
    const ownership = predictOwnershipAddress({
      ...{ epochs: epochsAddress, sessionKeys: thirdParty, smartBalance: zeroAddress },
      sharedSigner: defaultDeployment.sharedSigner,
      signerFactory: defaultDeployment.signerFactory,
    })
    const account = computeAccountAddress(passkey, { ...defaultDeployment, ownership })
    answerRegistration(account)
    const { result } = render()
    await act(() => result.current.createAccount('ken'))
    expect(result.current).toMatchObject({ status: 'signed-in', account: { address: account, proven: true } })
  })

  test('error: an address that does not follow from the passkey is rejected', async () => {
    service.answers['/networks'] = () => ({ networks: [] })
    answerRegistration(thirdParty)
    const { result } = render()
    await act(async () => {
      await expect(result.current.createAccount('ken')).rejects.toThrow(
        expect.objectContaining({ code: 'FOREIGN_ADDRESS' }),
      )
    })
    expect(result.current).toMatchObject({ status: 'signed-out', error: { code: 'FOREIGN_ADDRESS' } })
  })

  test('error: a challenge for anything but the message never reaches the passkey', async () => {
    service.answers['/v3/webauthn/message/generate-options'] = () => ({
      challenge,
      rpId: 'localhost',
      messageHash: '0x',
      deployed: false,
    })
    const { result } = render()
    await act(() => result.current.createAccount('ken'))
    await act(async () => {
      await expect(result.current.signMessage('Hello')).rejects.toThrow(
        expect.objectContaining({ code: 'NOT_VERIFIED' }),
      )
    })
    expect(prompts.get).toBe(0)
  })

  test('behavior: a handler without a catch causes no unhandled rejection', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { result } = render()
    await act(async () => {
      void result.current.sendCalls([])
    })
    await waitFor(() => expect(result.current.error?.code).toBe('SIGNED_OUT'))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('behavior: an action that starts after the component has unmounted opens no prompt', async () => {
    const { result, unmount } = render()
    const { createAccount } = result.current
    unmount()
    expect(await createAccount('ken')).toBeUndefined()
    expect(prompts.create).toBe(0)
  })

  test('error: outside a provider', () => {
    expect(() => renderHook(() => useLanyard())).toThrow(/need a LanyardProvider/)
  })
})

describe('a prompt', () => {
  /** Creates an assertion of the passkey, as a browser returns it. */
  const assert = async () => {
    const clientDataJSON = Buffer.from('{"type":"webauthn.get"}')
    const authenticatorData = Buffer.alloc(37, 1)
    const hash = createHash('sha256').update(clientDataJSON).digest()
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), privateKey)
    const bufferOf = (buffer: Buffer) => new Uint8Array(buffer).buffer
    return {
      id: 'AQID',
      rawId: bytes,
      type: 'public-key',
      getClientExtensionResults: () => ({}),
      response: {
        clientDataJSON: bufferOf(clientDataJSON),
        authenticatorData: bufferOf(authenticatorData),
        signature: bufferOf(signature),
        userHandle: bytes,
      },
    }
  }
  const answerSignIn = (account: string) => {
    service.answers['/v3/webauthn/discover/generate-options'] = () => ({
      passkeyAuthenticationOptions: { challenge, rpId: 'localhost' },
    })
    service.answers['/v3/webauthn/discover/verify'] = () => ({ message: '', username: 'ken', token: 't' })
    service.answers['/user'] = () => ({
      username: 'ken',
      wallet: { scw_address: account },
      transactions: [],
    })
    const hex = (text: string) => `0x${coordinate(text).toString(16)}`
    const passkey = {
      rpId: 'localhost',
      x: hex(x),
      y: hex(y),
      verifiers: `0x${defaultVerifiers.toString(16)}`,
    }
    service.answers['/smart-account/owner/recovery-kit'] = () => ({ passkey })
  }

  test('behavior: signIn verifies that the address follows from the passkey, and rejects another address', async () => {
    Object.assign(navigator.credentials, { get: assert })
    answerSignIn(own)
    const { result } = renderHook(() => useLanyard(), { wrapper })
    await act(() => result.current.signIn())
    expect(result.current.account).toEqual({ username: 'ken', address: own, proven: true })
    service.answers['/networks'] = () => ({ networks: [] })
    answerSignIn(thirdParty)
    await act(() => result.current.signIn().catch(() => undefined))
    expect(result.current).toMatchObject({ error: { code: 'FOREIGN_ADDRESS' }, account: { address: own } })
  })

  test('behavior: closes when its component unmounts', async () => {
    let prompt: AbortSignal | undefined
    const get = ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        prompt = signal
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      })
    Object.assign(navigator.credentials, { get })
    answerSignIn(own)
    const { result, unmount } = renderHook(() => useLanyard(), { wrapper })
    let answer: Promise<unknown> | undefined
    act(() => {
      answer = result.current.signIn()
    })
    await waitFor(() => expect(prompt?.aborted).toBe(false))
    unmount()
    expect(prompt?.aborted).toBe(true)
    expect(await answer).toBeUndefined()
  })
})

describe('useAuthorize', () => {
  test('error: a grant of anything else is never signed', async () => {
    const other = { targetContractAddress: thirdParty, value: '0', encodedData: '0x12345678' }
    service.answers['/smart-account/session-key/enable'] = () => ({ transactionDetails: [other] })
    const review = vi.fn(() => true)
    const { result } = renderHook(
      () => ({ lanyard: useLanyard(), authorize: useAuthorize({ sessionKeys: thirdParty }) }),
      { wrapper },
    )
    await act(() => result.current.lanyard.createAccount('ken'))
    const request = {
      sessionKey: { sessionKey: thirdParty, key: thirdParty } as const,
      permissions: [{ type: 'native-token-allowance' as const, allowance: '1' }],
      validUntil: 2_000_000_000,
      review,
    }
    await act(() => result.current.authorize.authorize(request).catch(() => undefined))
    expect(result.current.authorize.error?.code).toBe('NOT_VERIFIED')
    expect(review).not.toHaveBeenCalled()
    expect(prompts.get).toBe(0)
  })
})

describe('useSendCalls', () => {
  test('error: a build of other calls is never signed, and nothing is stored', async () => {
    const userOp = {
      sender: own,
      nonce: '0',
      initCode: '0x',
      callData: '0x12345678',
      callGasLimit: '1',
      verificationGasLimit: '1',
      preVerificationGas: '1',
      maxFeePerGas: '1',
      maxPriorityFeePerGas: '1',
    }
    service.answers['/v3/webauthn/transaction/generate-options'] = () => ({
      challenge,
      rpId: 'localhost',
      userOp,
    })
    const { result } = renderHook(() => ({ lanyard: useLanyard(), payment: useSendCalls() }), { wrapper })
    await act(() => result.current.lanyard.createAccount('ken'))
    await act(() => result.current.payment.send([{ to: thirdParty, value: 1n }]).catch(() => undefined))
    expect(result.current.payment).toMatchObject({ status: 'failed', error: { code: 'NOT_VERIFIED' } })
    expect(result.current.lanyard.pendingOperations).toEqual([])
    expect(prompts.get).toBe(0)
    act(() => result.current.payment.reset())
    expect(result.current.payment).toMatchObject({ status: 'idle', error: undefined })
  })
})

describe('useBalance', () => {
  test('default: amounts are bigints, and a network that does not answer is an error', async () => {
    const balance = { network: '31337', available: true, deployed: false, native: '1000', tokens: [] }
    service.answers['/wallet/balances'] = () => ({ balances: [balance] })
    const { result } = renderHook(
      () => ({
        lanyard: useLanyard(),
        balance: { ...useBalance() },
        elsewhere: { ...useBalance({ network: 1 }) },
      }),
      { wrapper },
    )
    await act(() => result.current.lanyard.createAccount('ken'))
    await waitFor(() =>
      expect(result.current.balance.data).toEqual({ native: 1_000n, tokens: [], deployed: false }),
    )
    service.answers['/wallet/balances'] = () => ({
      balances: [{ ...balance, available: false, native: null }],
    })
    await act(async () => void (await result.current.balance.refetch()))
    await waitFor(() => expect(result.current.balance.error?.code).toBe('NETWORK_UNAVAILABLE'))
    await waitFor(() => expect(result.current.elsewhere.error?.code).toBe('UNKNOWN_NETWORK'))
  })
})

describe('LanyardProvider', () => {
  test('behavior: uses the app’s QueryClient', () => {
    const client = new QueryClient()
    const { result } = renderHook(() => [useQueryClient(), useOperation(undefined)] as const, {
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{wrapper({ children })}</QueryClientProvider>
      ),
    })
    expect(result.current[0]).toBe(client)
    expect(result.current[1].fetchStatus).toBe('idle')
  })
})
