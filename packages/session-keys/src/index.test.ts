import { expect, test } from 'vitest'
import * as sessionKeys from './index.ts'

test('exports', () => {
  expect(Object.keys(sessionKeys).sort()).toMatchInlineSnapshot(`
    [
      "SessionKeysError",
      "compilePermissions",
      "decodeSessionState",
      "defaultOperations",
      "describePermissions",
      "descriptionMessages",
      "encodeGrant",
      "encodeRevoke",
      "encodeSessionExecute",
      "encodeSessionSignature",
      "explainRefusal",
      "forbiddenTargets",
      "functionsOf",
      "ruleKinds",
      "sessionKeyId",
      "sessionNonceKey",
      "stubSessionSignature",
      "stubShortfallGas",
    ]
  `)
})
