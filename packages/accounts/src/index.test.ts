import { expect, test } from 'vitest'
import * as accounts from './index.ts'

test('exports', () => {
  expect(Object.keys(accounts).sort()).toMatchInlineSnapshot(`
    [
      "AccountsError",
      "calculatePreVerificationGas",
      "computeAccountAddress",
      "computeSignerAddress",
      "decodeCalls",
      "decodeSignature",
      "defaultVerifiers",
      "encodeAddOwner",
      "encodeCalls",
      "encodeCreateSigner",
      "encodeInitCode",
      "encodeInitializer",
      "encodeRemoveOwner",
      "encodeSignature",
      "encodeWebAuthnSignature",
      "ethereumPreVerificationGas",
      "fromWireUserOperation",
      "getSafeOperationHash",
      "getUserOperationHash",
      "multiSendAbi",
      "packUserOperation",
      "parseCosePublicKey",
      "recoverOwnerSignature",
      "requiredPrefund",
      "safe4337ModuleAbi",
      "safeAbi",
      "safeDeployment",
      "safeModuleSetupAbi",
      "safeOperationTypedData",
      "safeProxyCreationCode",
      "safeProxyFactoryAbi",
      "safeWebAuthnSharedSignerAbi",
      "safeWebAuthnSignerFactoryAbi",
      "stubSignature",
      "toWireUserOperation",
      "unpackPaymasterAndData",
      "unpackUserOperation",
    ]
  `)
})
