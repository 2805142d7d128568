import { defaultDeployment, delegatedDeployment } from '@lanyard/accounts'
import { devRoles, ownershipAddress, sessionKeysAddress, smartBalanceAddress } from '@lanyard/devnet'
import { gasPriceOracle } from '@lanyard/networks'
import {
  attestorSetAbi,
  epochsAddress,
  smartBalanceAbi,
  smartBalanceBytecode,
  smartBalanceDeployerAbi,
} from '@lanyard/onchain'
import {
  ignoredOverrides,
  limitedBatches,
  limitedBodies,
  limitedLogs,
  rateLimit,
  refusedOverrides,
  withoutMethod,
} from '@lanyard/testing/fault-proxy'
import { type Address, concat, encodeFunctionData, type Hex, keccak256, numberToHex, toHex } from 'viem'
import type { FindingCode } from '../../src/admin/preflight/finding-table.ts'
import { deployerContract, knownContracts } from '../../src/admin/preflight/known-contracts.ts'
import type { Holders } from '../../src/admin/preflight/subject.ts'
import { feedCode } from '../price-feed.ts'
import type { FakeBundler } from './fake-bundler.ts'
import { type Imitation, people, round, settlementToken } from './imitation.ts'

/** The context of a fault: the faulty network, and another network that is correct. */
interface FaultFixture {
  readonly network: Imitation
  readonly other: Imitation
  readonly bundler: FakeBundler
}

/** Differences from the default preflight configuration. */
export interface Overrides {
  /** Members of the network's entry in the networks file; undefined removes one. */
  readonly entry?: object
  readonly holders?: Partial<Holders>
  readonly priceSource?: string
  /** In settlement tokens. */
  readonly topUpPerHour?: bigint
  /** Milliseconds by which the clock is ahead. */
  readonly ahead?: number
}

export interface Fault {
  readonly code: FindingCode
  readonly what: string
  /** Default: Base. */
  readonly on?: 'polygon' | 'arbitrum'
  readonly arrange: (fixture: FaultFixture) => Promise<Overrides | undefined> | Overrides | undefined
}

/** The discard port, where nothing listens. */
const unusedUrl = 'http://127.0.0.1:9'
const thirdParty: Address = '0x00000000000000000000000000000000DeaDBeef'
const relayerRefill = { below: String(10n ** 17n), target: String(10n ** 18n), perHour: String(10n ** 18n) }
/** The STOP opcode. */
const otherCode: Hex = '0x00'

const setCode = async ({ network }: FaultFixture, address: Address, bytecode: Hex) => {
  await network.chain.setCode({ address, bytecode })
  return undefined
}
/** Appends an unreachable byte to the code of a contract. */
const appendTo = async (fixture: FaultFixture, address: Address) =>
  setCode(fixture, address, concat([(await fixture.network.chain.getCode({ address })) ?? '0x', '0x00']))

/** Puts a contract in front of the settlement token that answers a transfer by this bytecode. */
const rejectTransfers = async ({ network }: FaultFixture, rejection: Hex) => {
  const { address } = settlementToken
  const implementation: Address = '0x00000000000000000000000000000000000C0De5'
  const bytecode = (await network.chain.getCode({ address })) ?? '0x'
  await network.chain.setCode({ address: implementation, bytecode })
  // If the selector is transfer's, jump to the refusal; otherwise DELEGATECALL.
  const code = concat([
    '0x5f3560e01c63a9059cbb14603557365f5f375f5f365f73',
    implementation,
    '0x5af4503d5f5f3e3d5ff35b',
    rejection,
  ])
  await network.chain.setCode({ address, bytecode: code })
  return undefined
}

type OwnerFunction =
  | 'setPaused'
  | 'pauseSettlement'
  | 'setOutflowCap'
  | 'withdrawLiquidity'
  | 'withdrawGas'
  | 'unlockStake'
  | 'proposeVerifier'
const asOwner = async (
  { network }: FaultFixture,
  functionName: OwnerFunction,
  args: readonly unknown[] = [],
) => {
  // The caller passes the arguments of the function. The contract reverts otherwise.
  const data = encodeFunctionData({ abi: smartBalanceAbi, functionName, args } as never)
  await network.sent(network.wallet.sendTransaction({ chain: null, to: network.smartBalance, data }))
  return undefined
}
/** The same at the contract that checks attestations. */
const atVerifier = async (
  fixture: FaultFixture,
  functionName: 'proposeThreshold' | 'removeAttestor',
  args: readonly unknown[],
) => {
  const { network } = fixture
  const data = encodeFunctionData({ abi: attestorSetAbi, functionName, args } as never) // as above
  const to = await verifierOf(fixture)
  await network.sent(network.wallet.sendTransaction({ chain: null, to, data }))
  return undefined
}
const verifierOf = ({ network }: FaultFixture) =>
  network.chain.readContract({
    address: network.smartBalance,
    abi: smartBalanceAbi,
    functionName: 'verifier',
  })

/** Deploys another SmartBalance of the same owner with other parameters. */
const deployOther = async (
  { network }: FaultFixture,
  changes: Record<string, Address>,
): Promise<Overrides> => {
  const verifier = await verifierOf({ network } as FaultFixture) // `verifierOf` reads the network only
  const salt = keccak256(toHex(JSON.stringify(changes)))
  const parameters = {
    token: settlementToken.address,
    entryPoint: defaultDeployment.entryPoint,
    safe4337Module: defaultDeployment.module,
    owner: people.owner.address,
    verifier,
    epochs: epochsAddress,
    ...changes,
  }
  const { result, request } = await network.chain.simulateContract({
    account: people.owner,
    address: network.deployer,
    abi: smartBalanceDeployerAbi,
    functionName: 'deploy',
    args: [salt, smartBalanceBytecode, parameters],
  })
  await network.sent(network.wallet.writeContract({ ...request, chain: null }))
  return { entry: { smartBalance: result, sessionKeys: undefined } }
}

/** The cost of `gas` in wei at the network's current fee cap, which stays: a new block would change it. */
const gasCost = async ({ network }: FaultFixture, gas: bigint) => {
  let kept: unknown
  network.proxy.set({
    methods: ['eth_feeHistory'],
    fault: {
      kind: 'lie',
      change: (result) => {
        kept ??= result
        return kept
      },
    },
  })
  return gas * (await network.network().fees()).maxFeePerGas
}
const setBalance = async (fixture: FaultFixture, address: Address, value: bigint) => {
  await fixture.network.chain.setBalance({ address, value })
  return undefined
}
const depositOf = ({ network }: FaultFixture) =>
  network.chain.readContract({
    address: defaultDeployment.entryPoint,
    abi: [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ type: 'address', name: 'account' }],
        outputs: [{ type: 'uint256' }],
      },
    ],
    functionName: 'balanceOf',
    args: [network.smartBalance],
  })

const ofNode: readonly Fault[] = [
  {
    code: 'RPC_UNREACHABLE',
    what: 'no endpoint listens',
    arrange: () => ({ entry: { rpcUrls: [unusedUrl, unusedUrl] } }),
  },
  {
    code: 'RPC_UNREACHABLE',
    what: 'every response is an error',
    arrange: ({ network }) => void network.proxy.set({ fault: { kind: 'http', status: 503 } }) as undefined,
  },
  {
    code: 'RPC_ENDPOINT_DOWN',
    what: 'the last of three endpoints',
    arrange: ({ network }) => ({ entry: { rpcUrls: [...network.rpcUrls, unusedUrl] } }),
  },
  {
    code: 'WRONG_CHAIN',
    what: 'the last endpoint serves another chain',
    arrange: ({ network, other }) => ({ entry: { rpcUrls: [...network.rpcUrls, other.proxy.url] } }),
  },
  {
    code: 'WRONG_CHAIN',
    what: 'the only endpoint serves another chain',
    arrange: ({ other }) => ({ entry: { rpcUrls: [other.proxy.url] } }),
  },
  { code: 'HEAD_OLD', what: 'head ten minutes old', arrange: () => ({ ahead: 600_000 }) },
  { code: 'CLOCK_BEHIND', what: 'clock a minute behind', arrange: () => ({ ahead: -60_000 }) },
  {
    code: 'NO_FINALITY',
    what: 'the block tag is unknown',
    arrange: ({ network }) =>
      void network.proxy.set({
        methods: ['eth_getBlockByNumber'],
        fault: {
          kind: 'lie',
          change: (result, { params }) => (params?.[0] === 'finalized' ? null : result),
        },
      }) as undefined,
  },
  {
    code: 'NO_FEES',
    what: 'neither eth_feeHistory nor eth_gasPrice',
    arrange: ({ network }) =>
      void network.proxy.set({
        methods: ['eth_feeHistory', 'eth_gasPrice'],
        fault: { kind: 'error', code: -32601, message: 'the method does not exist' },
      }) as undefined,
  },
  {
    code: 'NO_STATE_OVERRIDE',
    what: 'the parameter is ignored',
    arrange: ({ network }) => void network.proxy.set(ignoredOverrides()) as undefined,
  },
  {
    code: 'RPC_LACKS',
    what: 'no receipts',
    arrange: ({ network }) => void network.proxy.set(withoutMethod('eth_getTransactionReceipt')) as undefined,
  },
  {
    code: 'RPC_LACKS',
    what: 'no simulations on one of two addresses',
    arrange: ({ network }) => {
      network.proxy.set(refusedOverrides())
      return { entry: { rpcUrls: [network.direct, network.proxy.url] } }
    },
  },
  {
    code: 'RPC_LACKS',
    what: 'no request as large as a simulation',
    arrange: ({ network }) => void network.proxy.set(limitedBodies(59_000)) as undefined,
  },
  {
    code: 'RPC_LACKS',
    what: 'no logs of a block by its hash',
    arrange: ({ network }) =>
      void network.proxy.set({
        methods: ['eth_getLogs'],
        fault: {
          kind: 'error',
          code: -32602,
          message: 'invalid params: unknown field `blockHash`',
          when: ({ params: [filter] = [] }) => Object.hasOwn(filter as object, 'blockHash'),
        },
      }) as undefined,
  },
  ...['eth_estimateGas', 'eth_sendRawTransaction'].map(
    (method): Fault => ({
      code: 'RPC_LACKS',
      what: `no ${method}`,
      arrange: ({ network }) => void network.proxy.set(withoutMethod(method)) as undefined,
    }),
  ),
  {
    code: 'SEND_RPC_UNUSABLE',
    what: 'nothing listens',
    arrange: ({ network }) => ({ entry: { sendRpcUrls: [network.direct, unusedUrl] } }),
  },
  {
    code: 'SEND_RPC_UNUSABLE',
    what: 'no eth_sendRawTransaction',
    arrange: ({ network }) => {
      network.proxy.set(withoutMethod('eth_sendRawTransaction'))
      return { entry: { sendRpcUrls: [network.proxy.url] } }
    },
  },
  {
    code: 'WRONG_CHAIN',
    what: 'of sendRpcUrls',
    arrange: ({ other }) => ({ entry: { sendRpcUrls: [other.proxy.url] } }),
  },
  {
    code: 'RPC_RATE_LIMITED',
    what: 'for transactions',
    arrange: ({ network }) => {
      network.proxy.set(rateLimit({ status: 429 }, { methods: ['eth_sendRawTransaction'] }))
      return { entry: { sendRpcUrls: [network.proxy.url] } }
    },
  },
  {
    code: 'RPC_RATE_LIMITED',
    what: 'for everything but the other checks',
    arrange: ({ network }) =>
      void network.proxy.set(
        rateLimit({ code: -32005, message: 'limit exceeded' }, { methods: ['eth_getBlockByHash'] }),
      ) as undefined,
  },
  {
    code: 'RPC_RATE_LIMITED',
    what: 'by HTTP 429 on one of three addresses',
    arrange: ({ network: { proxy, direct } }) => {
      proxy.set(rateLimit({ status: 429 }, { retryAfter: '60' }))
      return { entry: { rpcUrls: [direct, direct.replace('localhost', '127.0.0.1'), proxy.url] } }
    },
  },
  {
    code: 'RPC_RATE_LIMITED',
    what: 'by code -32005 on every address',
    arrange: ({ network }) =>
      void network.proxy.set(
        rateLimit({ code: -32005, message: 'daily request count exceeded, request rate limited' }),
      ) as undefined,
  },
  {
    code: 'RPC_RATE_LIMITED',
    what: 'for everything at the address for transactions',
    arrange: ({ network: { proxy, direct } }) => {
      proxy.set(rateLimit({ status: 429 }))
      const rpcUrls = [direct, direct.replace('localhost', '127.0.0.1')]
      return { entry: { rpcUrls, sendRpcUrls: [proxy.url] } }
    },
  },
  {
    code: 'RPC_LIMITED',
    what: 'batches of 10',
    arrange: ({ network }) => void network.proxy.set(limitedBatches(10, 'each')) as undefined,
  },
  {
    code: 'RPC_LIMITED',
    what: 'logs of 2 blocks',
    arrange: ({ network }) => void network.proxy.set(limitedLogs(2, { status: 400 })) as undefined,
  },
  {
    code: 'RPC_RATE_LIMITED',
    what: 'for logs',
    arrange: ({ network }) =>
      void network.proxy.set(
        rateLimit({ status: 429 }, { methods: ['eth_getTransactionReceipt'], retryAfter: '60' }),
      ) as undefined,
  },
  {
    code: 'CHECK_FAILED',
    what: 'one method fails',
    arrange: ({ network }) =>
      void network.proxy.set({
        methods: ['eth_getBalance'],
        fault: { kind: 'error', code: -32603, message: 'internal error' },
      }) as undefined,
  },
]

const ofOrigins: readonly Fault[] = [
  {
    code: 'RPC_ONE_ORIGIN',
    what: 'one RPC',
    arrange: ({ network }) => ({ entry: { rpcUrls: [network.proxy.url] } }),
  },
  {
    code: 'RPC_ONE_ORIGIN',
    what: 'two RPCs of one provider',
    arrange: ({ network }) => ({ entry: { rpcUrls: [network.proxy.url, `${network.proxy.url}/other`] } }),
  },
  {
    code: 'RPC_ONE_ORIGIN_ACCEPTED',
    what: 'one RPC, and the setting that accepts it',
    arrange: ({ network }) => ({
      entry: { rpcUrls: [network.proxy.url], oneLyingRpcMayTakeLiquidity: true },
    }),
  },
  {
    code: 'RPC_NO_BLOCK_HASH',
    what: 'no eth_call at the hash of a block',
    arrange: ({ network }) =>
      void network.proxy.set({
        methods: ['eth_call'],
        fault: {
          kind: 'error',
          code: -32602,
          message: 'invalid argument 1: hex string',
          when: ({ params: [, at] = [] }) => typeof at === 'object' && at !== null,
        },
      }) as undefined,
  },
  {
    code: 'RPC_UNCONFIRMED',
    what: 'each RPC has another final block',
    arrange({ network }) {
      let requested = 0
      network.proxy.set({
        methods: ['eth_getBlockByNumber'],
        fault: {
          kind: 'lie',
          change: (block, { params: [at] = [] }) =>
            at === 'latest' ? block : { ...(block as object), hash: numberToHex(requested++, { size: 32 }) },
        },
      })
      return undefined
    },
  },
  {
    code: 'ATTESTOR_RPC_ONE_ORIGIN',
    what: 'one RPC for attestors',
    arrange: () => ({ entry: { attestorRpcUrls: ['https://third.example'] } }),
  },
  {
    code: 'ATTESTOR_RPC_SHARED',
    what: 'no RPCs for attestors',
    arrange: () => ({ entry: { attestorRpcUrls: undefined } }),
  },
]

const ofCanonicalContracts: readonly Fault[] = [
  ...knownContracts.map(
    ({ name, address }): Fault => ({
      code: 'NO_CODE',
      what: name,
      arrange: (fixture) => setCode(fixture, address, '0x'),
    }),
  ),
  ...knownContracts.map(
    ({ name, address, isComplete }): Fault => ({
      code: isComplete ? 'OTHER_CODE' : 'SIGNER_FAULTY',
      what: name,
      arrange: (fixture) => setCode(fixture, address, otherCode),
    }),
  ),
  {
    code: 'SIGNER_FAULTY',
    what: 'the shared signer accepts every signature',
    // PUSH4 magic, PUSH1 224, SHL, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    arrange: (fixture) => setCode(fixture, defaultDeployment.sharedSigner, '0x631626ba7e60e01b5f5260205ff3'),
  },
  {
    code: 'UNKNOWN_BUILD',
    what: 'the shared signer with another build',
    arrange: (fixture) => appendTo(fixture, defaultDeployment.sharedSigner),
  },
  {
    code: 'OTHER_ENTRY_POINT',
    what: 'another entry point in the file',
    arrange: () => ({ entry: { entryPoint: thirdParty } }),
  },
  {
    code: 'EIP7702_UNUSABLE',
    what: 'the delegate is missing',
    arrange: (fixture) => setCode(fixture, delegatedDeployment.delegate, '0x'),
  },
  {
    code: 'EIP7702_UNUSABLE',
    what: 'another entry point',
    on: 'polygon',
    arrange: (fixture) => setCode(fixture, delegatedDeployment.entryPoint, otherCode),
  },
  {
    code: 'PRECOMPILE_MISSING',
    what: 'configured but missing',
    on: 'polygon',
    arrange: () => ({ entry: { p256Precompile: true } }),
  },
  {
    code: 'PRECOMPILE_UNEXPECTED',
    what: 'present but not configured',
    arrange: () => ({ entry: { p256Precompile: false } }),
  },
  {
    code: 'DEPLOYER_MISSING',
    what: 'before session keys are deployed',
    arrange: async (fixture) => {
      await setCode(fixture, deployerContract.address, '0x')
      return { entry: { sessionKeys: undefined } }
    },
  },
]

/** 2^255 */
const absurd: Hex = '0x600160ff1b5f5260605ff3'
const nodeInterface: Address = '0x00000000000000000000000000000000000000C8'

const ofCosts: readonly Fault[] = [
  {
    code: 'L1_FEE_UNREADABLE',
    what: 'no gas price oracle',
    arrange: (fixture) => setCode(fixture, gasPriceOracle, '0x'),
  },
  {
    code: 'L1_FEE_UNREADABLE',
    what: 'absurd',
    arrange: (fixture) => setCode(fixture, gasPriceOracle, absurd),
  },
  {
    code: 'L1_FEE_UNREADABLE',
    what: 'no NodeInterface',
    on: 'arbitrum',
    arrange: (fixture) => setCode(fixture, nodeInterface, '0x'),
  },
  {
    code: 'L1_FEE_IGNORED',
    what: 'an oracle without l1Fee',
    on: 'polygon',
    arrange: (fixture) => setCode(fixture, gasPriceOracle, '0x5f5f5260205ff3'),
  },
  ...[
    ['no feed', () => '0x' as const],
    ['an outdated answer', () => feedCode(round({ updatedAt: Math.floor(Date.now() / 1000) - 4_000 }))],
    ['a price of 0', () => feedCode(round({ answer: 0n }))],
  ].map(
    ([what, code]): Fault => ({
      code: 'PRICE_UNUSABLE',
      what: what as string, // the wrong pair, like the description above
      arrange: (fixture) => setCode(fixture, fixture.network.feed, (code as () => Hex)()),
    }),
  ),
  {
    code: 'PRICE_OF_OTHER_COIN',
    what: 'BTC',
    arrange: (fixture) =>
      setCode(fixture, fixture.network.feed, feedCode(round({ description: 'BTC / USD' }))),
  },
  {
    code: 'PRICE_FIXED',
    what: 'on a real network',
    arrange: () => ({ entry: { nativePrice: { kind: 'fixed', price: '2500000000' } } }),
  },
]

const shownFeeds = (eth: Address, usdc: Address) => ({
  priceSource: 'chainlink',
  entry: {
    priceFeeds: { ETH: { feed: eth, maximumAge: 3_600 }, USDC: { feed: usdc, maximumAge: 3_600 } },
  },
})

const ofShownPrices: readonly Fault[] = [
  {
    code: 'SHOWN_PRICE_UNUSABLE',
    what: 'no feed',
    arrange: ({ network: { feed } }) => ({
      ...shownFeeds(feed, feed),
      entry: { priceFeeds: { ETH: { feed, maximumAge: 3_600 } } },
    }),
  },
  {
    code: 'SHOWN_PRICE_UNUSABLE',
    what: 'no code at the feed',
    arrange: ({ network: { feed } }) => shownFeeds(thirdParty, feed),
  },
  {
    code: 'SHOWN_PRICE_UNUSABLE',
    what: 'the feed of another coin',
    arrange: ({ network: { feed } }) => shownFeeds(feed, feed),
  },
  {
    code: 'SHOWN_PRICE_UNUSABLE',
    what: 'an address where nothing answers',
    arrange: () => ({ priceSource: unusedUrl }),
  },
]

const ofToken: readonly Fault[] = [
  {
    code: 'TOKEN_MISSING',
    what: 'no code',
    arrange: () => ({ entry: { settlementToken: { ...settlementToken, address: thirdParty } } }),
  },
  {
    code: 'TOKEN_MISSING',
    what: 'something else',
    arrange: () => ({
      entry: { settlementToken: { ...settlementToken, address: defaultDeployment.multiSend } },
    }),
  },
  {
    code: 'TOKEN_DECIMALS',
    what: '18 in the file',
    arrange: () => ({ entry: { settlementToken: { ...settlementToken, decimals: 18 } } }),
  },
  {
    code: 'TOKEN_SYMBOL',
    what: 'USDT in the file',
    arrange: () => ({ entry: { settlementToken: { ...settlementToken, symbol: 'USDT' } } }),
  },
]

const ofSmartBalance: readonly Fault[] = [
  {
    code: 'SMART_BALANCE_ABSENT',
    what: 'not in the file',
    arrange: () => ({ entry: { smartBalance: undefined, sessionKeys: undefined } }),
  },
  {
    code: 'SMART_BALANCE_NO_CODE',
    what: 'not on the chain',
    arrange: (fixture) => setCode(fixture, fixture.network.smartBalance, '0x'),
  },
  {
    code: 'SMART_BALANCE_OTHER_CODE',
    what: 'another contract',
    arrange: (fixture) => setCode(fixture, fixture.network.smartBalance, otherCode),
  },
  {
    code: 'SMART_BALANCE_OTHER_CODE',
    what: 'another build',
    arrange: (fixture) => appendTo(fixture, fixture.network.smartBalance),
  },
  // A price feed also has decimals(), which is all that SmartBalance reads from a token.
  {
    code: 'SMART_BALANCE_TOKEN',
    what: 'deployed with another token',
    arrange: (fixture) => deployOther(fixture, { token: fixture.network.feed }),
  },
  {
    code: 'SMART_BALANCE_ENTRY_POINT',
    what: 'deployed with another entry point',
    arrange: (fixture) => deployOther(fixture, { entryPoint: thirdParty }),
  },
  {
    code: 'SMART_BALANCE_MODULE',
    what: 'deployed with another module',
    arrange: (fixture) => deployOther(fixture, { safe4337Module: thirdParty }),
  },
  {
    code: 'SMART_BALANCE_OWNER_PUBLIC',
    what: 'the contract of local networks',
    arrange: () => ({ entry: { smartBalance: smartBalanceAddress, sessionKeys: sessionKeysAddress } }),
  },
  {
    code: 'ATTESTOR_SET_OTHER_CODE',
    what: 'another build',
    arrange: async (fixture) => appendTo(fixture, await verifierOf(fixture)),
  },
  {
    code: 'ATTESTOR_SET_OTHER_CODE',
    what: 'nothing',
    arrange: async (fixture) => setCode(fixture, await verifierOf(fixture), '0x'),
  },
  {
    code: 'ATTESTOR_SET_CHANGES',
    what: 'a lower threshold is proposed',
    arrange: (fixture) => atVerifier(fixture, 'proposeThreshold', [1n]),
  },
  {
    code: 'ATTESTOR_SET_CHANGES',
    what: 'another verifier is proposed',
    arrange: (fixture) => asOwner(fixture, 'proposeVerifier', [thirdParty]),
  },
  {
    code: 'OPERATOR_WITHOUT_ROLE',
    what: 'another key',
    arrange: () => ({ holders: { operators: [thirdParty] } }),
  },
  {
    code: 'SETTLER_WITHOUT_ROLE',
    what: 'another key',
    arrange: () => ({ holders: { settlers: [people.owner.address] } }),
  },
  {
    code: 'ATTESTOR_WITHOUT_ROLE',
    what: 'another key',
    arrange: () => ({ holders: { attestors: [thirdParty] } }),
  },
  {
    code: 'PAUSED',
    what: 'paused by the owner',
    arrange: (fixture) => asOwner(fixture, 'setPaused', [true]),
  },
  {
    code: 'SETTLEMENT_PAUSED',
    what: 'paused for an hour by the owner',
    arrange: (fixture) => asOwner(fixture, 'pauseSettlement', [1]),
  },
  {
    code: 'TOKEN_PROBE_FAILED',
    what: 'a token that is paused',
    arrange: (fixture) => rejectTransfers(fixture, '0x5f5ffd'),
  },
  {
    code: 'TOKEN_PROBE_FAILED',
    what: 'a token that uses up all gas',
    arrange: (fixture) => rejectTransfers(fixture, '0xfe'),
  },
  {
    code: 'ATTESTORS_TOO_FEW',
    what: 'one was removed',
    arrange: async (fixture) => {
      await atVerifier(fixture, 'removeAttestor', [people.attestors.at(-1)?.address ?? thirdParty])
      return { holders: { attestors: people.attestors.slice(0, 3).map(({ address }) => address) } }
    },
  },
  {
    code: 'TIMELOCK_TOO_LONG',
    what: 'two days and a second',
    // Returns 172801.
    arrange: (fixture) => setCode(fixture, people.owner.address, '0x630002a3015f5260205ff3'),
  },
  {
    code: 'OUTFLOW_CAP_ZERO',
    what: 'set to 0 by the owner',
    arrange: (fixture) => asOwner(fixture, 'setOutflowCap', [0n]),
  },
  {
    code: 'LIQUIDITY_LOW',
    what: '500 with a warning level of 1000',
    arrange: (fixture) => asOwner(fixture, 'withdrawLiquidity', [people.owner.address, 49_500_000_000n]),
  },
  {
    code: 'GAS_DEPOSIT_EMPTY',
    what: 'withdrawn',
    arrange: async (fixture) =>
      asOwner(fixture, 'withdrawGas', [people.owner.address, await depositOf(fixture)]),
  },
  {
    code: 'GAS_DEPOSIT_LOW',
    what: 'enough for ten orders only',
    arrange: async (fixture) => {
      const rest = await gasCost(fixture, 10_000_000n)
      return asOwner(fixture, 'withdrawGas', [people.owner.address, (await depositOf(fixture)) - rest])
    },
  },
  {
    code: 'GAS_DEPOSIT_HIGH',
    what: 'more than two hours of spending',
    arrange: () => ({ topUpPerHour: 100n }),
  },
  { code: 'STAKE_MISSING', what: 'unlocked', arrange: (fixture) => asOwner(fixture, 'unlockStake') },
]

const ofOthers: readonly Fault[] = [
  {
    code: 'EPOCHS_NO_CODE',
    what: 'not on the chain',
    arrange: (fixture) => setCode(fixture, epochsAddress, '0x'),
  },
  {
    code: 'SESSION_KEYS_NO_CODE',
    what: 'not on the chain',
    arrange: (fixture) => setCode(fixture, fixture.network.sessionKeys, '0x'),
  },
  {
    code: 'SESSION_KEYS_OTHER_CODE',
    what: 'another build',
    arrange: (fixture) => appendTo(fixture, fixture.network.sessionKeys),
  },
  {
    code: 'SESSION_KEYS_OTHER_CODE',
    what: 'deployed for another SmartBalance',
    arrange: () => ({ entry: { sessionKeys: sessionKeysAddress } }),
  },
  {
    code: 'OWNERSHIP_NO_CODE',
    what: 'not on the chain',
    arrange: () => ({ entry: { ownership: people.relayer.address } }),
  },
  {
    code: 'OWNERSHIP_OTHER_CODE',
    what: 'deployed for another SmartBalance',
    arrange: () => ({ entry: { ownership: ownershipAddress } }),
  },
  {
    code: 'RELAYER_EMPTY',
    what: 'nothing',
    arrange: (fixture) => setBalance(fixture, people.relayer.address, 0n),
  },
  {
    code: 'RELAYER_LOW',
    what: 'enough for three full transactions only',
    arrange: async (fixture) =>
      setBalance(fixture, people.relayer.address, await gasCost(fixture, 3n * 2n ** 24n)),
  },
  {
    code: 'RELAYER_LIMIT_LOW',
    what: 'not enough for one deployment',
    arrange: () => ({ entry: { relayerLossPerHour: '1000000' } }),
  },
  {
    code: 'SETTLER_EMPTY',
    what: 'nothing',
    arrange: (fixture) => setBalance(fixture, people.settler.address, 0n),
  },
  {
    code: 'SETTLER_LOW',
    what: 'enough for ten settlements only',
    arrange: async (fixture) =>
      setBalance(fixture, people.settler.address, await gasCost(fixture, 5_000_000n)),
  },
  { code: 'TOP_UP_EMPTY', what: 'nothing', arrange: () => ({ holders: { topUps: [thirdParty] } }) },
  {
    code: 'TOP_UP_LOW',
    what: 'enough for five orders only',
    arrange: async (fixture) => {
      await setBalance(fixture, thirdParty, await gasCost(fixture, 5_000_000n))
      return { holders: { topUps: [thirdParty] } }
    },
  },
  {
    code: 'TREASURY_MISSING',
    what: 'refills without a treasury',
    arrange: () => ({ entry: { relayerRefill }, holders: { treasuries: [] } }),
  },
  {
    code: 'TREASURY_UNSAFE',
    what: 'a treasury that is a relayer',
    arrange: () => ({
      entry: { relayerRefill },
      holders: { treasuries: [people.relayer.address] },
    }),
  },
  {
    code: 'TREASURY_UNSAFE',
    what: 'a treasury with a public key',
    arrange: () => ({
      entry: { relayerRefill },
      holders: { treasuries: [devRoles.topUp.address] },
    }),
  },
  {
    code: 'TREASURY_EMPTY',
    what: 'nothing for relayers',
    arrange: () => ({ entry: { relayerRefill }, holders: { treasuries: [thirdParty] } }),
  },
  {
    code: 'TREASURY_LOW',
    what: 'half of one refill',
    arrange: async (fixture) => {
      await setBalance(fixture, thirdParty, BigInt(relayerRefill.target) / 2n)
      return { entry: { relayerRefill }, holders: { treasuries: [thirdParty] } }
    },
  },
  {
    code: 'BUNDLER_UNREACHABLE',
    what: 'no bundler listens',
    arrange: () => ({ entry: { bundler: { kind: 'remote', url: unusedUrl } } }),
  },
  {
    code: 'BUNDLER_UNREACHABLE',
    what: 'a node instead of a bundler',
    arrange: ({ network }) => ({ entry: { bundler: { kind: 'remote', url: network.proxy.url } } }),
  },
  {
    code: 'BUNDLER_WRONG_CHAIN',
    what: 'a bundler of another network',
    arrange: ({ bundler, other }) => {
      bundler.answers = { chainId: other.chainId, entryPoints: [defaultDeployment.entryPoint] }
      return { entry: { bundler: { kind: 'remote', url: bundler.url } } }
    },
  },
  {
    code: 'BUNDLER_WITHOUT_ENTRY_POINT',
    what: 'another entry point',
    arrange: ({ bundler, network }) => {
      bundler.answers = { chainId: network.chainId, entryPoints: [thirdParty] }
      return { entry: { bundler: { kind: 'remote', url: bundler.url } } }
    },
  },
  {
    code: 'BUNDLER_WITHOUT_ENTRY_POINT',
    what: 'no EntryPoint v0.8',
    arrange: ({ bundler, network }) => {
      bundler.answers = { chainId: network.chainId, entryPoints: [defaultDeployment.entryPoint] }
      return { entry: { bundler: { kind: 'remote', url: bundler.url } } }
    },
  },
]

/** Each fault breaks exactly one thing. */
export const faults: readonly Fault[] = [
  ...ofNode,
  ...ofOrigins,
  ...ofCanonicalContracts,
  ...ofCosts,
  ...ofShownPrices,
  ...ofToken,
  ...ofSmartBalance,
  ...ofOthers,
]
