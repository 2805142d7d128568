import type { PermissionProblem } from '@lanyard/session-keys'
import { describePermissionProblem } from './describe-permission-problem.ts'
import type { PlacedPermission } from './placed-permission.ts'
import type { SessionDraftErrors } from './session-draft.ts'

/** Assigns each problem reported by the compiler to its form field. */
export function mapErrorsToFields(
  problems: readonly PermissionProblem[],
  placed: readonly PlacedPermission[],
): SessionDraftErrors {
  const errors: SessionDraftErrors = {}
  for (const problem of problems) errors[fieldOf(problem.path, placed)] ??= describePermissionProblem(problem)
  return errors
}

/** `permissions[1].functions[0]` belongs to the second permission. */
function fieldOf(path: string, placed: readonly PlacedPermission[]): keyof SessionDraftErrors {
  const [, index, member = ''] = /^permissions\[(\d+)\](?:\.(\w+))?/.exec(path) ?? []
  const place = index === undefined ? undefined : placed[Number(index)]?.place
  if (place === undefined) return 'form'
  if (place === 'fees') return member === 'operations' ? 'operations' : 'fees'
  if (place === 'token' || place === 'native')
    return member === 'to' || member === '' ? `${place}.recipients` : `${place}.amount`
  return member === 'functions' || member === 'maxValue' ? `${place}.${member}` : `${place}.target`
}
