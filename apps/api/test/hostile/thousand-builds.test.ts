/** @module-tag long */
// @promise 24 B.12
import { reportFigure } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { attackByBuilds } from './external-builds.ts'
import { startPublishableService } from './publishable-service.ts'

test("behavior: the owner's operation is included despite a thousand builds of third parties", {}, async () => {
  await using service = await startPublishableService()
  const { submitted, made } = await attackByBuilds(service, 1_000)
  expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  expect(made).toBe(1_000)
  reportFigure(24, "builds of third parties around the owner's build, which was included", made)
})
