import { expect, test } from 'vitest'
import * as sessionKeys from './index.ts'

test('exports', () => {
  expect(Object.keys(sessionKeys).sort()).toMatchInlineSnapshot(`
    [
      "SessionKeysError",
      "actionsOfWarnings",
      "compilePermissions",
      "decodeSessionState",
      "defaultOperations",
      "describePermissions",
      "descriptionMessages",
      "encodeGrant",
      "encodeRevoke",
      "encodeSessionExecute",
      "encodeSessionSignature",
      "endSessionsCall",
      "explainRefusal",
      "forbiddenTargets",
      "functionsOf",
      "ruleKinds",
      "sessionKeyId",
      "sessionNonceKey",
      "sessionWarnings",
      "stubSessionSignature",
      "stubShortfallGas",
    ]
  `)
})
