import { mainnet, sepolia } from 'viem/chains'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import * as wagmi2 from 'wagmi-core-2'
import { lanyard } from '../src/wagmi.ts'
import { FakePage, walletOrigin } from './fake-page.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signature = `0x${'ab'.repeat(65)}`
const bundle = `0x${'cd'.repeat(64)}`

afterEach(() => vi.unstubAllGlobals())

/** wagmi 2 consists of its core, React hooks, and connectors that these tests do not need. */
const versions = [
  ['wagmi 3', { ...wagmi, ...actions }],
  // the functions are wagmi 2's, typed as wagmi 3's
  ['wagmi 2', wagmi2 as unknown as typeof wagmi & typeof actions],
] as const

describe.each(versions)('%s', (_, { createConfig, createStorage, http, ...wagmiActions }) => {
  const { connect, disconnect, getAccount, reconnect, sendCalls, signMessage, switchChain } = wagmiActions

  function configure(page = new FakePage()) {
    page.answer = ({ method }) => {
      if (method === 'wallet_connect')
        return { result: { accounts: [{ address: account }], chainIds: ['0x1', '0xaa36a7'] } }
      return { result: method === 'wallet_sendCalls' ? { id: bundle } : signature }
    }
    const config = createConfig({
      chains: [mainnet, sepolia],
      connectors: [lanyard({ wallet: walletOrigin })],
      transports: { [mainnet.id]: http(), [sepolia.id]: http() },
      storage: createStorage({ storage: page.localStorage }),
    })
    const [connector] = config.connectors
    if (!connector) throw new TypeError('no connector')
    return { page, config, connector }
  }

  test('default: connects, signs, sends calls, switches and disconnects', async () => {
    const { page, config, connector } = configure()
    expect(await connect(config, { connector })).toEqual({ accounts: [account], chainId: 1 })
    expect(await signMessage(config, { message: 'hello' })).toBe(signature)
    expect(await sendCalls(config, { calls: [{ to: account, value: 1n }] })).toMatchObject({ id: bundle })
    expect(page.requests.map(({ method }) => method)).toEqual([
      'wallet_connect',
      'personal_sign',
      'wallet_sendCalls',
    ])
    await switchChain(config, { chainId: sepolia.id })
    expect(getAccount(config).chainId).toBe(sepolia.id)
    await disconnect(config)
    expect(getAccount(config).status).toBe('disconnected')
  })

  test('behavior: reconnects at the next visit without a popup', async () => {
    const { page, config, connector } = configure()
    await connect(config, { connector })
    const { config: next } = configure(page)
    await reconnect(next)
    expect(getAccount(next)).toMatchObject({ status: 'connected', address: account })
    expect(page.popups).toHaveLength(1)
  })

  test('behavior: a page that the wallet has revoked is disconnected', async () => {
    const { page, config, connector } = configure()
    await connect(config, { connector })
    page.answer = () => ({ error: { code: 4100, message: 'Not connected.' } })
    await expect(signMessage(config, { message: 'hello' })).rejects.toThrow('Not connected.')
    expect(getAccount(config).status).toBe('disconnected')
  })

  test('behavior: its announced provider (EIP-6963) is not listed twice', async () => {
    const { config, connector } = configure()
    await connect(config, { connector })
    expect(config.connectors.map(({ rdns }) => rdns)).toEqual(['example.wallet'])
  })
})
