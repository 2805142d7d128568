import { requiredPrefund } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OrderSigner } from '@lanyard/smart-balance'
import type { BuildTarget } from '../../operations/build/build-target.ts'
import type { Payer } from '../../operations/payer.ts'
import { operatorOf } from '../operator.ts'
import type { SmartBalanceServices } from '../services.ts'
import { readGasDeposit, requireGasDeposit } from './gas-deposit.ts'
import { draftOrder, draftOrderWithGas, type OrderTerms, withDraftGas } from './order-bytes.ts'
import { requireSponsoring, type SponsorshipBudgets } from './require-sponsoring.ts'
import { signOrder } from './sign-order.ts'
import { type DailyBudgets, takeFromBudgets } from './sponsorship-budgets.ts'
import { readChainValidity } from './validity.ts'

interface SponsorRequest extends BuildTarget {
  /** Any owner: SmartBalance does not look at who signs a sponsorship. */
  readonly signer: OrderSigner
  /** The API key of the request, as one word. */
  readonly caller: string
}

const toDailyBudgets = ({ account, all }: SponsorshipBudgets): DailyBudgets => ({
  account: { whose: "this account's", most: account },
  shared: [{ whose: "the service's", most: all }],
})

/**
 * The service pays for the gas: an order without debits and without anything to claim. What it can cost is taken from
 * the budgets in the transaction that writes the operation.
 *
 * @throws PAYMASTER_REFUSED with the reason, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function sponsor(services: SmartBalanceServices, request: SponsorRequest): Promise<Payer> {
  const { wallet, network, signer, caller } = request
  const { config, chainId } = network
  const budgets = requireSponsoring(network, services.env)
  const { smartBalance } = config
  if (!smartBalance) {
    throw new LanyardError('PAYMASTER_REFUSED', {
      message: `No sponsoring paymaster is configured on ${config.name}. Fund the account, or send paymasterData of your own.`,
    })
  }
  const [chain, deposit] = await Promise.all([
    readChainValidity(network),
    readGasDeposit(network, smartBalance),
  ])
  const terms: OrderTerms = {
    paymaster: smartBalance,
    claimAmount: 0n,
    validUntil: chain.latest,
    debits: [],
    signer,
  }
  return {
    filledByService: true,
    maySponsorReverts: false,
    validUntil: chain.latest,
    draft: draftOrder(terms),
    withGas: (estimate) => draftOrderWithGas(terms, estimate),
    consent: async (_transaction, operation) => {
      requireGasDeposit(network, { deposit, required: requiredPrefund(operation) }, services.log)
      const unsigned = withDraftGas(terms, operation.paymasterAndData)
      const operator = operatorOf(services, network)
      return {
        validUntil: chain.latest,
        paymasterAndData: async () => {
          await services.checkpoint('order:agreed')
          const paymasterAndData = await signOrder(operator, unsigned, { operation, chainId })
          await services.checkpoint('order:signed')
          return paymasterAndData
        },
      }
    },
    confirm: async () => {},
    record: (transaction, { operation, userOpHash }) =>
      takeFromBudgets(transaction, toDailyBudgets(budgets), {
        user_op_hash: userOpHash,
        kind: 'sponsored',
        caller,
        network: chainId,
        account: wallet.address.toLowerCase(),
        reserved: requiredPrefund(operation),
        valid_until: chain.latest,
        built_at_block: chain.block,
        created_at: services.now(),
      }),
  }
}
