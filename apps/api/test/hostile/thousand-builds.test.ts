/** @module-tag all */
import { reportFigure } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { attackByBuilds } from './foreign-builds.ts'
import { startPublishableService } from './publishable-service.ts'

test('behavior: a thousand builds of third parties, and the owner is included', {}, async () => {
  await using service = await startPublishableService()
  const { submitted, made } = await attackByBuilds(service, 1_000)
  expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  expect(made).toBe(1_000)
  reportFigure(24, 'builds of third parties around one of the owner, who was included', made)
})
