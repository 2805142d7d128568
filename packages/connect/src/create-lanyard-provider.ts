import { announceProvider, icon, rdnsOf } from './announce-provider.ts'
import { askWallet } from './ask-wallet.ts'
import { callNode } from './call-node.ts'
import { getCallsStatus, waitForTransactionHash } from './calls-status.ts'
import { ConnectError } from './connect-error.ts'
import type { Popup } from './page.ts'
import { errorCodes, grantable } from './protocol.ts'
import { randomHex } from './random-hex.ts'
import { readState, type StoredState, writeState } from './stored-state.ts'

/** A network of the page, compatible with viem's chains. */
export interface ConnectChain {
  readonly id: number
  /** Reads use the first URL. */
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
}

export interface CreateLanyardProviderParameters {
  /** The wallet's URL, e.g. `https://wallet.example`. */
  readonly wallet: string
  /** The page's networks. The first one is current until the page switches. */
  readonly chains: readonly [ConnectChain, ...ConnectChain[]]
  /** The name shown in wallet lists. Default: `Lanyard`. */
  readonly name?: string
}

export interface RequestArguments {
  readonly method: string
  readonly params?: unknown
}

export interface ProviderEvents {
  accountsChanged: (accounts: readonly string[]) => void
  chainChanged: (chainId: string) => void
  connect: (info: { readonly chainId: string }) => void
  disconnect: (error: ConnectError) => void
}

/** An EIP-1193 provider. */
export interface LanyardProvider {
  readonly isLanyard: true
  request(request: RequestArguments): Promise<unknown>
  on<E extends keyof ProviderEvents>(event: E, listener: ProviderEvents[E]): LanyardProvider
  removeListener<E extends keyof ProviderEvents>(event: E, listener: ProviderEvents[E]): LanyardProvider
}

const toHex = (chainId: number) => `0x${chainId.toString(16)}`

const isSameAddress = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

const fail = (code: keyof typeof errorCodes, message: string): never => {
  throw new ConnectError(errorCodes[code], message)
}

/**
 * A Lanyard wallet as an EIP-1193 provider. Anything that signs or discloses data opens a popup of the
 * wallet, which shows this page's origin. All other requests are answered here or by the network's own RPC.
 * The provider announces itself (EIP-6963).
 *
 * @example
 * const provider = createLanyardProvider({ wallet: 'https://wallet.example', chains: [base] })
 * button.onclick = () => provider.request({ method: 'eth_requestAccounts' })
 * @throws TypeError if `wallet` is not a URL
 */
export function createLanyardProvider({
  wallet,
  chains,
  name = 'Lanyard',
}: CreateLanyardProviderParameters): LanyardProvider {
  const walletOrigin = new URL(wallet).origin
  const kept = readState(walletOrigin)
  let state: StoredState = {
    accounts: kept.accounts ?? [],
    walletChains: kept.walletChains ?? [],
    chainId: chains.some(({ id }) => id === kept.chainId) ? (kept.chainId ?? 0) : chains[0].id,
    grantChains: kept.grantChains ?? [],
    bundles: kept.bundles ?? {},
  }
  const listeners = new Map<string, Set<(value: never) => void>>()
  let open: Popup | undefined

  function emit<E extends keyof ProviderEvents>(event: E, value: Parameters<ProviderEvents[E]>[0]) {
    // `on` registers listeners by event name
    for (const listener of listeners.get(event) ?? []) listener(value as never)
  }

  function update(change: Partial<StoredState>) {
    const before = state
    state = { ...state, ...change }
    writeState(walletOrigin, state)
    if (state.chainId !== before.chainId) emit('chainChanged', toHex(state.chainId))
    if (String(state.accounts) === String(before.accounts)) return
    if (before.accounts.length === 0) emit('connect', { chainId: toHex(state.chainId) })
    emit('accountsChanged', state.accounts)
    if (state.accounts.length === 0)
      emit('disconnect', new ConnectError(errorCodes.disconnected, 'This page is no longer connected.'))
  }

  /** Networks that both the page and the wallet know. */
  const usableChains = () =>
    chains.filter(({ id }) => state.walletChains.length === 0 || state.walletChains.includes(id))

  function requireAccount(address: unknown) {
    if (!state.accounts.some((account) => isSameAddress(account, address)))
      fail('unauthorized', 'This page is not connected to that account. Call eth_requestAccounts first.')
  }

  /** Opens the popup immediately: there must be no `await` between a click and this call. */
  async function ask(method: string, params: readonly unknown[], chainId = state.chainId): Promise<unknown> {
    if (open) {
      open.focus()
      fail('requestPending', 'The wallet’s window is open for another request.')
    }
    try {
      return await askWallet(walletOrigin, { method, params, chainId }, (popup) => {
        open = popup
      })
    } catch (error) {
      // The person revoked this page's access in the wallet.
      if (error instanceof ConnectError && error.code === errorCodes.unauthorized) update({ accounts: [] })
      throw error
    } finally {
      open = undefined
    }
  }

  async function connect(params: readonly unknown[]) {
    const answer = await ask('wallet_connect', params)
    // the shape of the wallet's response
    const {
      accounts,
      chainIds,
      grantChainIds = [],
    } = answer as {
      accounts: { address: string }[]
      chainIds: string[]
      grantChainIds?: string[]
    }
    const walletChains = chainIds.map(Number)
    const current = chains.find(({ id }) => id === state.chainId && walletChains.includes(id))
    const chain = current ?? chains.find(({ id }) => walletChains.includes(id))
    update({
      accounts: accounts.map(({ address }) => address),
      walletChains,
      grantChains: grantChainIds.map(Number),
      chainId: chain?.id ?? state.chainId,
    })
    return answer
  }

  /** The wallet's id of a bundle to which this page gave its own id. */
  const bundleIdOf = (id: unknown) =>
    typeof id === 'string' && Object.hasOwn(state.bundles, id) ? state.bundles[id] : undefined

  async function sendCalls(request: Record<string, unknown>): Promise<{ id: string }> {
    const { id, from = state.accounts[0], chainId = toHex(state.chainId), capabilities, calls } = request
    requireAccount(from)
    if (!usableChains().some((chain) => chain.id === Number(chainId)))
      fail('unsupportedChain', `The wallet does not have the network ${chainId}.`)
    if (bundleIdOf(id) !== undefined) fail('duplicateId', 'A bundle of calls with this id already exists.')
    for (const holder of [
      capabilities,
      ...(Array.isArray(calls) ? calls : []).map((call) => Object(call).capabilities),
    ])
      for (const [capability, value] of Object.entries(Object(holder)))
        if (capability !== 'atomic' && Object(value).optional !== true)
          fail('unsupportedCapability', `The wallet does not support the capability ${capability}.`)
    const answer = (await ask('wallet_sendCalls', [{ ...request, from, chainId }], Number(chainId))) as {
      id: string
    } // the shape of the wallet's response
    if (typeof id !== 'string') return answer
    update({ bundles: { ...state.bundles, [id]: answer.id } })
    return { id }
  }

  /** ERC-7715. The wallet says what a session key cannot enforce, by name. */
  async function grantPermissions(request: Record<string, unknown>) {
    const { chainId = toHex(state.chainId), address = state.accounts[0] } = request
    requireAccount(address)
    if (!usableChains().some(({ id }) => id === Number(chainId)))
      fail('unsupportedChain', `The wallet does not have the network ${chainId}.`)
    return ask('wallet_grantPermissions', [{ ...request, chainId, address }], Number(chainId))
  }

  const disconnect = () => {
    update({ accounts: [], walletChains: [], grantChains: [] })
    return null
  }

  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_accounts: () => state.accounts,
    eth_chainId: () => toHex(state.chainId),
    async eth_requestAccounts() {
      if (state.accounts.length === 0) await connect([{}])
      return state.accounts
    },
    wallet_connect: connect,
    wallet_disconnect: disconnect,
    wallet_revokePermissions: disconnect,
    wallet_switchEthereumChain([requested]) {
      const chainId = Number(Object(requested).chainId)
      if (!usableChains().some(({ id }) => id === chainId))
        fail('unrecognizedChain', 'This page or the wallet does not have that network.')
      update({ chainId })
      return null
    },
    personal_sign([message, address]) {
      requireAccount(address)
      return ask('personal_sign', [message, address])
    },
    eth_signTypedData_v4([address, typedData]) {
      requireAccount(address)
      return ask('eth_signTypedData_v4', [address, typedData])
    },
    wallet_sendCalls: ([request]) => sendCalls(Object(request)),
    async eth_sendTransaction([transaction]) {
      const { from, to, value = '0x0', data = '0x', chainId } = Object(transaction)
      const { id } = await sendCalls({
        version: '2.0.0',
        atomicRequired: true,
        from,
        ...(chainId !== undefined && { chainId }),
        calls: [{ to, value, data }],
      })
      return waitForTransactionHash(walletOrigin, id)
    },
    async wallet_getCallsStatus([id]) {
      return { ...(await getCallsStatus(walletOrigin, bundleIdOf(id) ?? String(id))), id }
    },
    wallet_showCallsStatus: ([id]) => ask('wallet_showCallsStatus', [bundleIdOf(id) ?? id]),
    wallet_grantPermissions: ([request]) => grantPermissions(Object(request)),
    wallet_getCapabilities([address, requested]) {
      requireAccount(address)
      const isRequested = (id: number) =>
        !Array.isArray(requested) || requested.some((one) => Number(one) === id)
      return Object.fromEntries(
        usableChains()
          .filter(({ id }) => isRequested(id))
          .map(({ id }) => [
            toHex(id),
            {
              atomic: { status: 'supported' },
              ...(state.grantChains.includes(id) && { permissions: grantable }),
            },
          ]),
      )
    },
  }

  const provider: LanyardProvider = {
    isLanyard: true,
    async request(request) {
      const { method, params } = Object(request)
      if (typeof method !== 'string') return fail('invalidParams', 'Expected a method.')
      const list: readonly unknown[] = params === undefined ? [] : [params].flat()
      const own = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (own) return own(list)
      // Requests that sign, or that are meant for a wallet, never go to a node.
      if (/^(wallet_|eth_sign)/.test(method))
        return fail('unsupportedMethod', `The wallet does not support ${method}.`)
      const url = chains.find(({ id }) => id === state.chainId)?.rpcUrls.default.http[0]
      if (url === undefined) return fail('disconnected', 'The current network has no RPC URL.')
      return callNode(url, method, params ?? [])
    },
    on(event, listener) {
      const held = listeners.get(event) ?? new Set()
      listeners.set(event, held.add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  announceProvider(provider, { uuid: newUuid(), name, icon, rdns: rdnsOf(walletOrigin) })
  return provider
}

/** UUID version 4 (RFC 9562); `crypto.randomUUID` needs a secure context. */
const newUuid = () => randomHex().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
