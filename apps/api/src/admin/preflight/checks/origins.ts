import { LanyardError } from '@lanyard/contracts'
import { type AgreedBlock, forAttestors, multicall3, type Network, rpcOrigins } from '@lanyard/networks'
import { encodeFunctionData, parseAbi } from 'viem'
import { type Findings, finding } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'

const numberRead = {
  to: multicall3,
  data: encodeFunctionData({ abi: parseAbi(['function getBlockNumber() view returns (uint256)']) }),
} as const

/**
 * What the operator lends depends on answers of RPCs. Two of different origin must be able to confirm each
 * other, and attestors should not depend on the same ones.
 */
export const checkOrigins: Check = async (subject) => {
  const { network } = subject
  const { smartBalance, local } = network.config
  if (smartBalance === undefined || local) return []
  return [...originFindings(subject), ...attestorFindings(subject), ...(await confirmationFindings(network))]
}

function originFindings({ network: { config } }: Subject): Findings {
  const origins = [...new Set(rpcOrigins(config))]
  if (origins.length > 1) return []
  const seen = 'RPCs of one origin'
  if (config.oneLyingRpcMayTakeLiquidity) {
    return finding('RPC_ONE_ORIGIN_ACCEPTED', {
      message:
        'One RPC decides what is lent: if it lies, the liquidity can be lent to an account without deposits.',
      expected: 'RPCs of two origins',
      seen,
      fix: 'Add an RPC of another provider to rpcUrls, and remove oneLyingRpcMayTakeLiquidity.',
    })
  }
  return finding('RPC_ONE_ORIGIN', {
    message: 'Nothing is lent here: only one RPC answers for this network, and nobody could tell if it lied.',
    expected: 'RPCs of two origins in rpcUrls',
    seen,
    fix: 'Add an RPC of another provider or a node of your own to rpcUrls (rpcOrigins names origins that domains do not show), or accept the risk with oneLyingRpcMayTakeLiquidity.',
  })
}

function attestorFindings({ network: { config }, holders }: Subject): Findings {
  if (holders.attestors.length === 0) return []
  const origins = [...new Set(rpcOrigins(forAttestors(config)))]
  if (config.attestorRpcUrls !== undefined && origins.length < 2 && !config.oneLyingRpcMayTakeLiquidity) {
    return finding('ATTESTOR_RPC_ONE_ORIGIN', {
      message: 'Attestors attest nothing here: their RPCs have only one origin.',
      expected: 'RPCs of two origins in attestorRpcUrls',
      seen: 'RPCs of one origin',
      fix: 'Add an RPC of another provider to attestorRpcUrls.',
    })
  }
  const own = new Set(rpcOrigins(config))
  const shared = origins.filter((origin) => own.has(origin))
  if (shared.length < origins.length) return []
  return finding('ATTESTOR_RPC_SHARED', {
    message: 'Attestors read the outcome of orders from the same RPCs that decide what is lent.',
    expected: 'an RPC in attestorRpcUrls that rpcUrls does not have',
    seen: `${shared.length} origins, all of them in rpcUrls`,
    fix: 'Set attestorRpcUrls, best to another pair of providers for each attestor.',
  })
}

/** Asks as the service asks: a common final block, and the same eth_call at its hash. */
async function confirmationFindings({ quorum, chainId }: Network): Promise<Findings> {
  try {
    const block = await quorum.final()
    const unable = await countWithoutHashes(quorum, block)
    if (unable > 0) {
      return finding('RPC_NO_BLOCK_HASH', {
        message:
          'An RPC cannot read the state at the hash of a block, so it confirms nothing, and nothing is lent.',
        expected: 'eth_call with {"blockHash": …} (EIP-1898)',
        seen: `no answer from ${unable} of ${quorum.origins.length} origins`,
        fix: `Replace it in rpcUrls of network ${chainId}.`,
      })
    }
    await quorum.call(block, numberRead)
    return []
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error
    // A node that does not answer at all, or has no final block, is a finding of another check.
    if (error.code !== 'NETWORK_UNCONFIRMED') return []
    return finding('RPC_UNCONFIRMED', {
      message: 'Two RPCs do not confirm each other, and nothing is lent.',
      expected: 'the same answers at the same block',
      seen: String(error.details?.reason),
      fix: 'Find out which one is wrong or behind, and replace it.',
    })
  }
}

/** The number of origins that cannot read at the hash of a block. */
async function countWithoutHashes({ witnesses }: Network['quorum'], { hash }: AgreedBlock): Promise<number> {
  const answers = await Promise.allSettled(
    witnesses.map(({ call }) =>
      call((client) => client.request({ method: 'eth_call', params: [numberRead, { blockHash: hash }] })),
    ),
  )
  return answers.filter(({ status }) => status === 'rejected').length
}
