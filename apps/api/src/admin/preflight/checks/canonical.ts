import {
  computeSignerAddress,
  defaultDeployment,
  defaultVerifiers,
  signerAddressRead,
} from '@lanyard/accounts'
import { isAddressEqual } from 'viem'
import { type Finding, type Findings, finding } from '../finding.ts'
import { deployerContract, type KnownContract, knownContracts } from '../known-contracts.ts'
import { ifContractMatches } from '../not-that-contract.ts'
import { probeSharedSigner } from '../probe-passkeys.ts'
import type { Check, Subject } from '../subject.ts'
import { checkCode } from './code.ts'

/** The third-party contracts at their canonical addresses exist and are correct. */
export const checkCanonical: Check = async (subject) => {
  const { entryPoint, chainId } = subject.network.config
  if (!isAddressEqual(entryPoint, defaultDeployment.entryPoint)) {
    return finding('OTHER_ENTRY_POINT', {
      message: 'Safe4337Module supports another entry point: no account here could act.',
      expected: defaultDeployment.entryPoint,
      seen: entryPoint,
      fix: `Leave entryPoint of network ${chainId} out of NETWORKS_FILE.`,
    })
  }
  const found = (await Promise.all(knownContracts.map((contract) => checkKnown(subject, contract)))).flat()
  const has = (code: Finding['code']) => found.some((one) => one.code === code)
  // Behaviour is checked only for existing contracts: one fault, one finding.
  const behaviour =
    has('NO_CODE') || !subject.node.overrides
      ? []
      : await Promise.all([checkSigner(subject, has('OTHER_CODE')), checkFactory(subject)])
  const faulty = behaviour.flat()
  // An unknown build that misbehaves is reported only as misbehaving.
  const codes = faulty.length > 0 ? found.filter(({ code }) => code !== 'UNKNOWN_BUILD') : found
  return [...codes, ...faulty, ...(await checkDeployer(subject))]
}

function checkKnown(subject: Subject, contract: KnownContract): Promise<Findings> {
  const { name, address, codeHashes, isComplete } = contract
  return checkCode(subject, {
    ...{ address, name, hashes: codeHashes },
    missing: {
      code: 'NO_CODE',
      message: `${name} is not on this network: funds sent to accounts here could not be moved.`,
      expected: `code at ${address}`,
      fix: 'Take the network out of NETWORKS_FILE until its publisher has deployed it there (anyone can, from the same sources).',
    },
    other: !isComplete
      ? {
          code: 'UNKNOWN_BUILD',
          message: `${name} at ${address}: no hash of its canonical build is known here, so it was tested instead.`,
          fix: 'Compare the hash with a block explorer once.',
        }
      : {
          code: 'OTHER_CODE',
          message: `${name}: its address has other code.`,
          expected: `${address} with code ${codeHashes.join(' or ')}`,
          fix: 'Do not use this network: accounts would depend on unknown code. Is it the right RPC?',
        },
  })
}

/** A passkey's signature, verified in the way in which a Safe verifies it. */
async function checkSigner({ network }: Subject, otherCode: boolean): Promise<Findings> {
  const outcome = await probeSharedSigner(network)
  if (outcome === 'right') return []
  const takesWrong = outcome === 'takes-wrong'
  // If the verifier has other code, which is reported already, it may reject a valid signature.
  if (otherCode && !takesWrong) return []
  return finding('SIGNER_FAULTY', {
    message: takesWrong
      ? 'SafeWebAuthnSharedSigner accepts a signature over another message: anyone could spend.'
      : 'SafeWebAuthnSharedSigner rejects a valid signature: passkey accounts could not move anything.',
    expected: `a passkey's signature to be checked by ${defaultDeployment.sharedSigner}`,
    seen: takesWrong ? 'a wrong one is accepted' : 'a valid one is rejected',
    fix: 'Do not use this network for passkeys: take it out of NETWORKS_FILE.',
  })
}

/** The base point of P-256: a public key that is always valid. */
const basePoint = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}

/** The signers of further owners have the addresses that the client computes. */
async function checkFactory({ network }: Subject): Promise<Findings> {
  const expected = computeSignerAddress({ ...basePoint, verifiers: defaultVerifiers })
  const seen = await ifContractMatches(
    network.call((client) =>
      client.readContract(signerAddressRead({ ...basePoint, verifiers: defaultVerifiers })),
    ),
  )
  if (seen && isAddressEqual(seen, expected)) return []
  return finding('SIGNER_FAULTY', {
    message: 'SafeWebAuthnSignerFactory deploys signers at other addresses than the client computes.',
    expected,
    seen: seen ?? 'no answer to getSigner',
    fix: 'Do not add passkeys on this network: take it out of NETWORKS_FILE.',
  })
}

async function checkDeployer(subject: Subject): Promise<Findings> {
  const { smartBalance, sessionKeys, chainId } = subject.network.config
  // Not needed any more once both are deployed.
  if (smartBalance !== undefined && sessionKeys !== undefined) return []
  const { name, address, codeHashes } = deployerContract
  const missing = {
    code: 'DEPLOYER_MISSING',
    message: `This network lacks ${name}: our contracts cannot be deployed there.`,
    expected: `code at ${address}`,
    fix: `\`lanyard deploy --network ${chainId} --outflow-cap <tokens> --dry-run\` says how to deploy it there.`,
  } as const
  return checkCode(subject, { address, name, hashes: codeHashes, missing })
}
