import { endpoints } from '@lanyard/contracts'
import { implement } from '../../pipeline/implement.ts'

export const brand = implement(endpoints.system.brand, async (_input, { project }) => ({
  ...project.brand.shown,
  logins: [...project.logins.shown],
}))
