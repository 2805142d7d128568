// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Calls that move a token or let someone move it
library TokenCall {
    /// @notice Whether an allowance can count this function.
    function isCountable(bytes4 selector) internal pure returns (bool) {
        return selector == IERC20.transfer.selector || selector == IERC20.transferFrom.selector
            || selector == IERC20.approve.selector;
    }

    /// @notice Reads transfer(to, amount), approve(spender, amount) or transferFrom(account, to, amount).
    /// @dev Stricter than any token: requires the exact length and clean addresses, so that nothing depends on the
    /// token's decoder.
    /// @return valid Whether it is one of the three, and takes only from `account`.
    /// @return counterparty The recipient or spender.
    /// @return amount In base units; an approval counts in full, whatever was approved before.
    function parse(address account, bytes calldata data)
        internal
        pure
        returns (bool valid, address counterparty, uint256 amount)
    {
        bool isFrom = bytes4(data) == IERC20.transferFrom.selector;
        uint256 start = isFrom ? 36 : 4;
        if (!isCountable(bytes4(data)) || data.length != start + 64) return (false, address(0), 0);
        if (isFrom && uint256(bytes32(data[4:])) != uint160(account)) return (false, address(0), 0);
        uint256 word = uint256(bytes32(data[start:]));
        if (word > type(uint160).max) return (false, address(0), 0);
        return (true, address(uint160(word)), uint256(bytes32(data[start + 32:])));
    }
}
