// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

interface ISafeOfModule {
    function execTransactionFromModule(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        returns (bool success);
}

/// @dev A module that makes the Safe call anything that anyone asks for.
contract OpenModule {
    error NotCalled();

    function run(ISafeOfModule safe, address to, uint256 value, bytes calldata data) external {
        if (!safe.execTransactionFromModule(to, value, data, 0)) revert NotCalled();
    }

    receive() external payable {}
}

/// @dev A spender that takes the tokens that its caller approved, as a vault's deposit or a router's swap does.
contract Puller {
    function pull(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
    }
}

/// @dev A token that reports success for approve(spender, 0) without doing it.
contract StickyToken is ERC20("Sticky", "STICKY") {
    bool private immutable _ANSWER;

    constructor(bool answer) {
        _ANSWER = answer;
    }

    function approve(address spender, uint256 amount) public override returns (bool) {
        return amount == 0 ? _ANSWER : super.approve(spender, amount);
    }
}

/// @dev A token that rejects approve(spender, 0), as BNB on Ethereum does.
contract ZeroRefusingToken is ERC20("Refusing", "REFUSING") {
    error ZeroRefused();

    function approve(address spender, uint256 amount) public override returns (bool) {
        if (amount == 0) revert ZeroRefused();
        return super.approve(spender, amount);
    }
}

/// @dev The part of ERC-721 that an approval needs: the selector is ERC-20's, the number is a token id, and 0 is valid.
contract Collectible {
    mapping(uint256 id => address) public getApproved;

    function approve(address spender, uint256 id) external {
        getApproved[id] = spender;
    }
}
