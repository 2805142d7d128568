import { defaultDeployment } from '@lanyard/accounts'
import { deterministicDeployer } from '@lanyard/onchain'
import type { Address, Hex } from 'viem'

/** A third-party contract that accounts depend on. */
export interface KnownContract {
  readonly name: string
  readonly address: Address
  /** keccak256 of the code of every build that is known to be correct at this address. */
  readonly codeHashes: readonly Hex[]
  /**
   * Whether the canonical build is among them. If it is not, other code alone is no finding: the contract's
   * behaviour is tested instead (`probe-passkeys.ts`).
   */
  readonly isComplete: boolean
}

/** 0xA86e…: the fallback of `defaultVerifiers`. */
const p256Verifier: Address = '0xA86e0054C51E4894D88762a017ECc5E5235f5DBA'

/**
 * Hashes of code. The address proves each of them: the named factory deploys this creation code there
 * (CREATE2). The hashes of Safe 1.4.1 are also in safe-deployments. A test compares them with the code on the
 * local networks.
 */
export const knownContracts: readonly KnownContract[] = [
  {
    // Deployed by the deterministic deployer, with the salt of the v0.7.0 release.
    name: 'EntryPoint v0.7',
    address: defaultDeployment.entryPoint,
    codeHashes: ['0x8db5ff695839d655407cc8490bb7a5d82337a86a6b39c3f0258aa6c3b582fc58'],
    isComplete: true,
  },
  {
    // Deployed by the Safe singleton factory, salt 0, like the next three.
    name: 'Safe 1.4.1',
    address: defaultDeployment.singleton,
    codeHashes: ['0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4'],
    isComplete: true,
  },
  {
    name: 'SafeProxyFactory 1.4.1',
    address: defaultDeployment.factory,
    codeHashes: ['0x50c3cdc4074750a7a974204a716c999edd37482f907608d960b2b025ee0b3317'],
    isComplete: true,
  },
  {
    name: 'MultiSend 1.4.1',
    address: defaultDeployment.multiSend,
    codeHashes: ['0x0e4f7fc66550a322d1e7688e181b75e217e662a4f3f4d6a29b22bc61217c4b77'],
    isComplete: true,
  },
  {
    name: 'MultiSendCallOnly 1.4.1',
    address: defaultDeployment.multiSendCallOnly,
    codeHashes: ['0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939'],
    isComplete: true,
  },
  {
    // Deployed by the deterministic deployer, salt 0, with EntryPoint v0.7 as the argument, like the next
    // one.
    name: 'Safe4337Module 0.3.0',
    address: defaultDeployment.module,
    codeHashes: ['0x2aea997c4e3cf0e2f333025372e219abcfde81c21fc2f8fb066414a5685dd3e0'],
    isComplete: true,
  },
  {
    name: 'SafeModuleSetup 0.3.0',
    address: defaultDeployment.moduleSetup,
    codeHashes: ['0xaf2d170bb766d2773c3fa88717f5b3599827478074d3767d1dee55e5c2f3fbcb'],
    isComplete: true,
  },
  {
    name: 'FCLP256Verifier 0.2.1',
    address: p256Verifier,
    codeHashes: [
      // Sources of v0.2.1, solc 0.8.26, 10,000,000 runs, without IR; deployed by the Safe singleton factory,
      // salt 0.
      '0xa493dea44e0b8e3b88da6da9fe4447abeefef94ab58ae0b2e001504a38203e80',
      // npm's safe-passkey 0.2.0, as on local networks.
      '0x0d23c6a31df5b9c5358b2899ac8b0b7f06560804f53ccb13852ed7b25117a1d8',
    ],
    isComplete: true,
  },
  {
    // npm has 0.2.0, which the local networks use. No build of 0.2.1 is published, and a build of its sources
    // at the canonical address could not be reproduced.
    name: 'SafeWebAuthnSharedSigner 0.2.1',
    address: defaultDeployment.sharedSigner,
    codeHashes: ['0xf88ef6a8f278ae528ad31a030de85e1497795084c9fef888d7da3f8175094750'],
    isComplete: false,
  },
  {
    // The same as for the shared signer.
    name: 'SafeWebAuthnSignerFactory 0.2.1',
    address: defaultDeployment.signerFactory,
    codeHashes: ['0xc97637dd6fee0f7d3672cbd471aa67f00a3feb08e2bf9812da84f6d1c6f6dc23'],
    isComplete: false,
  },
]

/** Needed to deploy the service's contracts, but not to run the service. */
export const deployerContract: KnownContract = {
  name: 'the deterministic deployer',
  address: deterministicDeployer,
  codeHashes: ['0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989'],
  isComplete: true,
}
