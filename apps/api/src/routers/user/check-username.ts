import { endpoints } from '@lanyard/contracts'
import { usernameExists } from '@lanyard/database'
import { implement } from '../../implement.ts'

export const checkUsername = implement(endpoints.user.checkUsername, async ({ username }, { services }) => {
  const exists = await usernameExists(services.database, username)
  return { value: exists, message: exists ? 'This username exists' : 'This username does not exist' }
})
