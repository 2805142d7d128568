import { formatEther, isAddressEqual } from 'viem'
import { isPublicDevelopmentKey } from '../../../platform/keys/role-keys.ts'
import { finding } from '../finding.ts'
import type { Check } from '../subject.ts'

const variable = 'RELAYER_TREASURY_PRIVATE_KEY'

/** Checks that relayers are filled up where the configuration says so. */
export const checkRelayerTreasury: Check = async ({ network, holders: { treasuries, relayers } }) => {
  const { bundler, relayerRefill, nativeCurrency, name, local } = network.config
  if (bundler.kind !== 'embedded' || relayerRefill === undefined || treasuries === undefined) return []
  const [treasury] = treasuries
  if (!treasury) {
    return finding('TREASURY_MISSING', {
      message: `Nobody fills up relayers: relayerRefill is set, and ${variable} is not.`,
      fix: `Set ${variable} for a process with the role topUp, or remove relayerRefill.`,
    })
  }
  const isRelayer = relayers.some((relayer) => isAddressEqual(relayer, treasury))
  if (isRelayer || (!local && isPublicDevelopmentKey(treasury))) {
    return finding('TREASURY_UNSAFE', {
      message: isRelayer
        ? `The treasury ${treasury} is a relayer: what it has is not limited to an hour's budget.`
        : `The treasury ${treasury} has a public development key: anyone can take its coins.`,
      fix: `Use another key for ${variable}.`,
    })
  }
  const balance = await network.call((client) => client.getBalance({ address: treasury }))
  const target = BigInt(relayerRefill.target)
  if (balance >= target) return []
  // Less than a twentieth of the target is not sent.
  const isEmpty = balance < target / 20n
  return finding(isEmpty ? 'TREASURY_EMPTY' : 'TREASURY_LOW', {
    message: isEmpty
      ? `The treasury ${treasury} has nothing for relayers.`
      : `The treasury ${treasury} has less than one relayer may need.`,
    expected: `${formatEther(target)} ${nativeCurrency.symbol} (relayerRefill.target)`,
    seen: `${formatEther(balance)} ${nativeCurrency.symbol}`,
    fix: `Send ${nativeCurrency.symbol} to ${treasury} on ${name}.`,
  })
}
