// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Grants} from "./Grants.sol";
import {Validation} from "./Validation.sol";

/// @title Everything of SessionKeys but its constructor
/// @dev Apart, because SessionKeys is compiled by another pipeline than the tests, which import only this.
// solhint-disable-next-line no-empty-blocks
abstract contract SessionKeysParts is Grants, Validation {}
