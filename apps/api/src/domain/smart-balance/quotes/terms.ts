import type { Network } from '@lanyard/networks'
import type { OrderSigner, Terms } from '@lanyard/smart-balance'
import { z } from 'zod'
import { requestNetworks } from '../ledger/network-bound.ts'
import { smartBalanceNetworks } from '../model/get-smart-balance.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { defaultGasBudget, settlementCost } from './gas-budget.ts'

/** The prices behind the fees of an account's orders on a network, valid for a limited time. */
export interface AgreedTerms {
  readonly basisPoints: number
  /** wei */
  readonly gasBudget: bigint
  /** Units of the settlement token (6 decimals) for 1 ether of the output network's coin. */
  readonly nativePrice: bigint
  /** The cost of a debit, by chain id, 6 decimals. Networks that did not answer are missing. */
  readonly settlementFees: Readonly<Record<string, bigint>>
}

const ether = 10n ** 18n

/** Rounded up, so that the operator never pays the fraction of a unit. */
const toToken = (wei: bigint, nativePrice: bigint) => (wei * nativePrice + ether - 1n) / ether

/** The terms in the form that the planner takes. */
export const toTerms = (
  { basisPoints, nativePrice, settlementFees, gasBudget: agreed }: AgreedTerms,
  gasBudget = agreed,
): Terms => ({ basisPoints, operationFee: toToken(gasBudget, nativePrice), settlementFees })

export interface TermsRequest {
  readonly network: Network
  readonly signer: OrderSigner
  readonly deployed: boolean
}

/**
 * Creates terms from current prices.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED of the output network; other networks that fail are left out
 */
export async function makeTerms(
  { env, networks, log }: Pick<SmartBalanceServices, 'env' | 'networks' | 'log'>,
  { network, signer, deployed }: TermsRequest,
): Promise<AgreedTerms> {
  const sources = smartBalanceNetworks(networks).filter(({ chainId }) => chainId !== network.chainId)
  const [gasBudget, nativePrice, { answers }] = await Promise.all([
    defaultGasBudget(network, { signer, deployed }),
    network.nativePrice(),
    requestNetworks(
      sources,
      async (source) => [source.chainId, await settlementFee(source, signer)] as const,
      log,
    ),
  ])
  return {
    basisPoints: env.SMART_BALANCE_BASIS_POINTS,
    gasBudget,
    nativePrice,
    settlementFees: Object.fromEntries(answers),
  }
}

async function settlementFee(network: Network, signer: OrderSigner): Promise<bigint> {
  const [cost, price] = await Promise.all([settlementCost(network, signer), network.nativePrice()])
  return toToken(cost, price)
}

const integer = z.string().regex(/^\d+$/).transform(BigInt)
const storedTerms = z.object({
  basisPoints: z.int(),
  gasBudget: integer,
  nativePrice: integer,
  settlementFees: z.record(z.string(), integer),
}) satisfies z.ZodType<AgreedTerms>

/** JSON has no bigint. */
export const serializeTerms = (terms: AgreedTerms): string =>
  JSON.stringify(terms, (_, value) => (typeof value === 'bigint' ? String(value) : value))

export const parseTerms = (stored: unknown): AgreedTerms => storedTerms.parse(stored)
