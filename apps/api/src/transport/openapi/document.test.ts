import { commonErrors, endpoints } from '@lanyard/contracts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { endpointList } from '../../platform/endpoint-list.ts'
import { openApiDocument } from './document.ts'

const document = openApiDocument()
const operations = Object.values(document.paths ?? {}).flatMap((item) =>
  [item.get, item.post].filter((one) => one !== undefined),
)

test('behavior: the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('behavior: every endpoint is in the document with a unique operation id', () => {
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(endpointList.length)
  expect(ids).toContain('smartAccountGasFees')
})

test('behavior: every error code of an endpoint is listed under its status', () => {
  const { responses } = document.paths?.[endpoints.smartAccount.submit.path]?.post ?? {}
  const text = JSON.stringify(responses)
  for (const code of [...endpoints.smartAccount.submit.errors, ...commonErrors])
    expect(text).toContain(`\`${code}\``)
  expect(JSON.stringify(responses?.['504'])).toContain('INCLUSION_TIMEOUT')
})

test('behavior: fixed statuses match the interface', () => {
  const { responses } = document.paths?.[endpoints.webauthn.registerVerify.path]?.post ?? {}
  expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '500']))
  expect(Object.keys(responses ?? {})).not.toContain('404')
})

test('behavior: every operation and every tag has its own description', () => {
  expect(operations.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual(
    [],
  )
  expect(
    (document.tags ?? []).filter(({ name, description }) => !description || description === name),
  ).toEqual([])
  expect(document.info.contact).toBeDefined()
})

test('behavior: answers allow additional members', () => {
  const outputs = operations.map(({ responses }) => responses?.['200'])
  expect(JSON.stringify(outputs)).not.toContain('"additionalProperties":false')
  expect(JSON.stringify(document.components?.schemas?.Error)).not.toContain('"additionalProperties":false')
})

test('behavior: limits are integers', () => {
  const limits = [...JSON.stringify(document).matchAll(/"limit":(\{[^{}]*\})/g)].map(([, text = '']) =>
    JSON.parse(text),
  )
  expect(limits.length).toBeGreaterThan(2)
  for (const limit of limits.filter(({ type }) => type !== undefined)) {
    expect(limit).toMatchObject({ type: 'integer' })
    expect(limit.pattern).toBeUndefined()
    if ('example' in limit) expect(Number.isInteger(limit.example)).toBe(true)
  }
})
