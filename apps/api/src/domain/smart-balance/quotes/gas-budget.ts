import { eoaOf } from '@lanyard/accounts'
import { l1FeeAt, type Network } from '@lanyard/networks'
import { type OrderSigner, probeGas } from '@lanyard/smart-balance'
import { concat, type Hex, keccak256, numberToHex, padHex, slice } from 'viem'

/**
 * Gas of an operation with an order that withdraws, claims, and uses the funds in one or two calls, with all of
 * postOp's: a failed operation uses up the probe.
 */
const baseGas = 650_000n + probeGas

/** Gas to create and set up the Safe, including its init code as call data. */
const deploymentGas = 350_000n

/**
 * Gas to verify a passkey's signature twice: by the account and by SmartBalance. With the precompile, or in
 * Solidity.
 */
const passkeyGas = 80_000n
const solidityPasskeyGas = 1_000_000n

/** Gas of a single settlement; in a batch it is less (the gas snapshot of SmartBalance has 81,200). */
const settlementGas = 90_000n

/** Gas that a passkey's signature adds to a settlement, which verifies it once more. */
const passkeySettlementGas = 20_000n
const solidityPasskeySettlementGas = 250_000n

/**
 * Bytes of call data: of a bundle with such an operation, for the account's creation, for a passkey's
 * signatures.
 */
const baseData = 2_300
const deploymentData = 700
const passkeyData = 700

/** Bytes of call data of a single settlement. */
const settlementData = 1_500

interface BudgetFor {
  readonly signer: OrderSigner
  /** Whether the account is deployed on the network. */
  readonly deployed: boolean
}

/**
 * The maximum cost of an ordinary operation with an order on a network, at current fees.
 *
 * @returns wei
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function defaultGasBudget(network: Network, { signer, deployed }: BudgetFor): Promise<bigint> {
  const isPasskey = eoaOf(signer) === undefined
  const data = sampleCallData(baseData + (deployed ? 0 : deploymentData) + (isPasskey ? passkeyData : 0))
  const [{ maxFeePerGas, maxPriorityFeePerGas, baseFeePerGas }, hasPrecompile, l1] = await Promise.all([
    network.fees(),
    network.hasP256Precompile(),
    network.l1Fee({ to: network.config.entryPoint, data }),
  ])
  const signing = isPasskey ? (hasPrecompile ? passkeyGas : solidityPasskeyGas) : 0n
  const gas = baseGas + (deployed ? 0n : deploymentGas) + signing
  const l1Fee = l1FeeAt(network.config, l1, gas)
  // preVerificationGas includes a margin of one half (the bundler's), and a budget counts gas at its maximum
  // price.
  return gas * maxFeePerGas + (l1Fee * 3n * maxFeePerGas) / (2n * (baseFeePerGas + maxPriorityFeePerGas))
}

/**
 * The current cost of settling one order of a signer on a network, including L1 data. An RPC cannot make it
 * cheaper than the base fee that two of them confirm.
 *
 * @returns wei
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function settlementCost(network: Network, signer: OrderSigner): Promise<bigint> {
  const to = network.config.smartBalance ?? network.config.entryPoint
  const isPasskey = eoaOf(signer) === undefined
  const data = sampleCallData(settlementData + (isPasskey ? passkeyData : 0))
  const [fees, confirmed, hasPrecompile, l1] = await Promise.all([
    network.fees(),
    network.quorum.head(),
    network.hasP256Precompile(),
    network.l1Fee({ to, data }),
  ])
  const baseFee = fees.baseFeePerGas > confirmed.baseFeePerGas ? fees.baseFeePerGas : confirmed.baseFeePerGas
  const signing = hasPrecompile ? passkeySettlementGas : solidityPasskeySettlementGas
  const gas = settlementGas + (isPasskey ? signing : 0n)
  return gas * (baseFee + fees.maxPriorityFeePerGas) + l1FeeAt(network.config, l1, gas)
}

/**
 * Sample call data for estimating the L1 data fee before the real call data exists. Rollups charge for the
 * compressed size. In an operation with an order, or a settlement, about half the bytes are zeros (words with
 * small numbers and addresses), and half are hashes and signatures.
 *
 * @param length - bytes
 */
function sampleCallData(length: number): Hex {
  const words = Array.from({ length: Math.ceil(length / 64) }, (_, index) => {
    const hash = keccak256(numberToHex(index))
    return concat([hash, padHex(slice(hash, 0, 4), { size: 32 })])
  })
  return slice(concat(words), 0, length)
}
