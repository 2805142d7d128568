import { expect, test } from 'vitest'
import { substituteVariables } from './index.ts'

const variables: Record<string, string> = { RPC: 'https://rpc.example/key', EMPTY: '', _a1: 'b' }
const substitute = (document: unknown) => substituteVariables(document, (name) => variables[name])

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are the texts of the file
test('default: replaces variables in every string, including parts of it', () => {
  const document = { networks: [{ rpcUrls: ['${RPC}', '${RPC}/${_a1}'], chainId: 1, local: false, x: null }] }
  expect(substitute(document)).toEqual({
    document: {
      networks: [
        {
          rpcUrls: ['https://rpc.example/key', 'https://rpc.example/key/b'],
          chainId: 1,
          local: false,
          x: null,
        },
      ],
    },
    missing: [],
  })
})

test('behavior: reports unset and empty variables with their paths', () => {
  expect(
    substitute({ networks: [{ rpcUrls: ['${RPC}', '${NONE}'], bundler: { url: '${EMPTY}' } }] }),
  ).toMatchObject({
    missing: [
      { path: 'networks.0.rpcUrls.1', name: 'NONE' },
      { path: 'networks.0.bundler.url', name: 'EMPTY' },
    ],
  })
})

test.each(['$RPC', '${}', '${1A}', '${A-B}', '{RPC}', '$ {RPC}'])(
  'behavior: %s is not a reference',
  (text) => {
    expect(substitute([text])).toEqual({ document: [text], missing: [] })
  },
)

test('behavior: does not replace variables inside values', () => {
  expect(substituteVariables('${A}', () => '${B}').document).toBe('${B}')
})

test('behavior: does not replace member names', () => {
  expect(substitute({ '${RPC}': 1 }).document).toEqual({ '${RPC}': 1 })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are the texts of the file
