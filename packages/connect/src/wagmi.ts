import type { CreateConnectorFn } from 'wagmi'
import { icon, rdnsOf } from './announce-provider.ts'
import { type ConnectChain, createLanyardProvider, type LanyardProvider } from './create-lanyard-provider.ts'

export interface LanyardParameters {
  /** The wallet's URL, e.g. `https://wallet.example`. */
  readonly wallet: string
  /** The name shown in the wallet list. Default: `Lanyard`. */
  readonly name?: string
}

/**
 * A Lanyard wallet as a wagmi connector. Its `rdns` equals that of the provider's EIP-6963 announcement, so
 * that wagmi lists the wallet once.
 *
 * @example
 * createConfig({ chains: [base], connectors: [lanyard({ wallet: 'https://wallet.example' })], transports })
 */
export function lanyard({ wallet, name = 'Lanyard' }: LanyardParameters): CreateConnectorFn<LanyardProvider> {
  const rdns = rdnsOf(wallet)
  return (config) => {
    let provider: LanyardProvider | undefined
    const getProvider = () => {
      const chains = config.chains as readonly [ConnectChain, ...ConnectChain[]] // viem's chains have these members
      provider ??= createLanyardProvider({ wallet, chains, name })
        .on('accountsChanged', onAccountsChanged)
        .on('chainChanged', onChainChanged)
      return provider
    }
    const request = <T>(method: string, ...params: readonly unknown[]) =>
      getProvider().request({ method, params }) as Promise<T> // typed by the method's standard
    const getChainId = async () => Number(await request<string>('eth_chainId'))
    const switchChain = async (chainId: number) => {
      await request('wallet_switchEthereumChain', { chainId: `0x${chainId.toString(16)}` })
      const chain = config.chains.find(({ id }) => id === chainId)
      if (!chain) throw new TypeError(`The configuration has no chain ${chainId}.`)
      return chain
    }
    type Addresses = readonly `0x${string}`[]

    function onAccountsChanged(accounts: readonly string[]) {
      if (accounts.length === 0) config.emitter.emit('disconnect')
      else config.emitter.emit('change', { accounts: accounts as Addresses }) // the wallet returns addresses
    }
    function onChainChanged(chainId: string) {
      config.emitter.emit('change', { chainId: Number(chainId) })
    }

    return {
      id: 'lanyard',
      type: 'lanyard',
      name,
      icon,
      rdns,
      async connect({ chainId, isReconnecting, withCapabilities, ...rest } = {}) {
        const capabilities = 'capabilities' in rest ? rest.capabilities : undefined
        let connected: { accounts: readonly { address: `0x${string}`; capabilities?: object }[] } | undefined
        if (!isReconnecting)
          connected = await request('wallet_connect', {
            version: '1',
            ...(capabilities !== undefined && { capabilities }),
          })
        if (chainId !== undefined && chainId !== (await getChainId())) await switchChain(chainId)
        const accounts = connected?.accounts ?? []
        return {
          accounts: (withCapabilities
            ? accounts.map(({ address, capabilities = {} }) => ({ address, capabilities }))
            : connected
              ? accounts.map(({ address }) => address)
              : // wagmi infers the type from `withCapabilities`
                await request<Addresses>('eth_accounts')) as never,
          chainId: await getChainId(),
        }
      },
      async disconnect() {
        await request('wallet_disconnect')
      },
      getAccounts: () => request<Addresses>('eth_accounts'),
      getChainId,
      getProvider: async () => getProvider(),
      isAuthorized: async () => (await request<Addresses>('eth_accounts')).length > 0,
      switchChain: ({ chainId }) => switchChain(chainId),
      onAccountsChanged: (accounts) => onAccountsChanged(accounts),
      onChainChanged,
      onDisconnect: () => config.emitter.emit('disconnect'),
    }
  }
}
