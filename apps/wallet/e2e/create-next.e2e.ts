/** @module-tag long */
import { describeTemplate } from './describe-template.ts'

describeTemplate('next', 3001)
