// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Calls that move a token or let somebody move it
library TokenCall {
    /// @notice Whether an allowance can count this function.
    function isCountable(bytes4 selector) internal pure returns (bool) {
        return selector == IERC20.transfer.selector || selector == IERC20.transferFrom.selector
            || selector == IERC20.approve.selector;
    }

    /// @notice Whether the function gives somebody power over tokens, so that no rule without an allowance may name
    /// it, on any contract.
    /// @dev A list of the ones in use, to keep an owner from signing what looks harmless; an unknown one is an
    /// ordinary call. Permits with a signature of the account fail anyway: this contract signs operations only.
    function isApproval(bytes4 selector) internal pure returns (bool) {
        return selector == IERC20.approve.selector || selector == 0x39509351 // increaseAllowance(address,uint256)
            || selector == 0xd73dd623 // increaseApproval(address,uint256)
            || selector == 0xd505accf // permit, ERC-2612
            || selector == 0x9fd5a6cf // permit(address,address,uint256,uint256,bytes)
            || selector == 0x8fcbaf0c // permit of DAI
            || selector == 0x3177029f // approveAndCall(address,uint256), ERC-1363
            || selector == 0xcae9ca51 // approveAndCall(address,uint256,bytes)
            || selector == 0xa22cb465 // setApprovalForAll(address,bool), ERC-721 and ERC-1155
            || selector == 0x959b8c3f // authorizeOperator(address), ERC-777
            || selector == 0x87517c45 // approve(address,address,uint160,uint48), Permit2
            || selector == 0x2b67b570 // permit, Permit2, one token
            || selector == 0x2a2d80d1 // permit, Permit2, several tokens
            || selector == 0xc04a8a10; // approveDelegation(address,uint256), Aave
    }

    /// @notice Reads transfer(to, amount), approve(spender, amount) or transferFrom(account, to, amount).
    /// @dev Stricter than any token: exact length, clean addresses, so that nothing is left to the token's decoder.
    /// @return valid Whether it is one of the three, and takes from `account` and nobody else.
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
