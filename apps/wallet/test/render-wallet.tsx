import { computeAccountAddress, defaultDeployment } from '@lanyard/accounts'
import type { Currency } from '@lanyard/calls'
import { epochsAddress, predictSessionKeysAddress } from '@lanyard/onchain'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { writeSession } from '../src/api/stored-session.ts'
import type { NetworkBalance } from '../src/holdings/use-balances.ts'
import type { Network } from '../src/networks/use-networks.ts'
import { SessionProvider } from '../src/sign-in/session-context.tsx'
import { trackedOperations } from '../src/sign-in/tracked-operations.ts'
import { type FakeService, startFakeService } from './fake-service.ts'

// Limits how long a test can hang.
configure({ asyncUtilTimeout: 180_000 })

/** The first owner, which determines the account's address. */
export const firstOwner = { kind: 'eoa', address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' } as const
export const account = computeAccountAddress(firstOwner)
export const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const usdcToken = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

const eth: Currency = { symbol: 'ETH', decimals: 18 }
const usdc = { symbol: 'USDC', decimals: 6, token: usdcToken } as const

const smartBalance = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const { entryPoint, module, sharedSigner, multiSend, multiSendCallOnly } = defaultDeployment

/** The contract as the wallet knows it: the address follows from the code. */
export const sessionKeys = predictSessionKeysAddress({
  entryPoint,
  safe4337Module: module,
  sharedSigner,
  multiSend,
  multiSendCallOnly,
  smartBalance,
  epochs: epochsAddress,
})

/** Two local networks, both with the combined balance and session keys. */
export const networks: readonly Network[] = [1, 2].map((chainId) => ({
  chainId,
  name: `Net ${chainId}`,
  explorerUrl: undefined,
  local: true,
  currencies: [eth, usdc],
  smartBalance: {
    address: smartBalance,
    token: usdc,
    unit: { symbol: 'USDC', decimals: 6 },
  },
  sessionKeys,
}))

const balances: readonly NetworkBalance[] = networks.map(({ chainId }) => ({
  chainId,
  available: true,
  deployed: true,
  native: 10n ** 18n,
  tokens: [{ address: usdcToken, balance: 100_000_000n }],
}))

/**
 * Starts a fake service for a file of component tests, and sets the page's origin to it, so that requests go
 * over HTTP as in a browser.
 */
export function withFakeService(): { readonly service: () => FakeService } {
  let service: FakeService | undefined
  beforeAll(async () => {
    service = await startFakeService()
    // happy-dom's way to set the URL.
    Reflect.get(window, 'happyDOM').setURL(service.url)
  })
  afterEach(() => {
    cleanup()
    trackedOperations.clear()
    sessionStorage.clear()
    localStorage.clear()
    for (const name of Object.keys(service?.answers ?? {})) delete service?.answers[name]
    service?.requested.splice(0)
    service?.cancelled.splice(0)
    service?.endStreams()
  })
  afterAll(async () => {
    await Reflect.get(window, 'happyDOM').abort()
    await service?.[Symbol.asyncDispose]()
  })
  return {
    service: () => {
      if (!service) throw new TypeError('The fake service starts before the first test')
      return service
    },
  }
}

/** The balances as the service answers them. */
export const balancesAnswer = {
  balances: balances.map(({ chainId, native, tokens, ...rest }) => ({
    ...{ network: String(chainId), ...rest, native: String(native) },
    tokens: tokens.map(({ address, balance }) => ({ address, balance: String(balance) })),
  })),
}

/**
 * Renders a part of the wallet for a signed-in person whose networks and balances are loaded.
 *
 * @param isReading - the balances are not loaded yet
 */
export function renderWallet(
  element: ReactElement,
  { path = '/', isReading = false }: { path?: string; isReading?: boolean } = {},
) {
  writeSession({ username: 'alice', account, token: 'token' })
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['networks'], networks)
  if (!isReading) queryClient.setQueryData(['balances', account], balances)
  return {
    user: userEvent.setup(),
    queryClient,
    ...render(
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <MemoryRouter initialEntries={[path]}>{element}</MemoryRouter>
        </SessionProvider>
      </QueryClientProvider>,
    ),
  }
}

/**
 * Runs axe-core on the rendered elements. Colours and sizes need a real browser; names, roles and states do
 * not.
 */
export async function expectNoBarriers(container: Element): Promise<void> {
  const { violations } = await axe.run(container, {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}
