// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Tokens that take the place of a network's settlement token (vm.etch), so their storage is that of ERC20.

/// @dev Takes 1 % of every transfer.
contract FeeToken is ERC20("", "") {
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(to, address(0xFEE), value / 100);
    }
}

/// @dev Takes 1 % of every transfer from the sender, in addition to the amount.
contract SenderFeeToken is ERC20("", "") {
    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(from, address(0xFEE), value / 100);
    }
}

/// @dev Returns false and moves nothing.
contract FalseToken is ERC20("", "") {
    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// @dev Returns nothing, as USDT does.
contract SilentToken {
    mapping(address account => uint256) public balanceOf;

    function transfer(address to, uint256 value) external {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
    }

    function transferFrom(address from, address to, uint256 value) external {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

/// @dev Rejects one recipient, as USDC does.
contract BlockingToken is ERC20("", "") {
    error Blocked(address account);

    function _update(address from, address to, uint256 value) internal override {
        if (to == address(0xB10C)) revert Blocked(to);
        super._update(from, to, value);
    }
}

interface IHook {
    function onTransfer() external;
}

/// @dev Notifies one contract of every transfer, as ERC-777 notifies sender and recipient.
contract HookToken is ERC20("", "") {
    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        address listener = address(0x400C);
        if (listener.code.length != 0) IHook(listener).onTransfer();
    }
}

/// @dev Etched at 0x400C: makes one call at the next transfer and stores its result.
contract Listener is IHook {
    address public target;
    bytes public data;
    bool public called;
    bool public succeeded;
    bytes public returned;

    function arm(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    /// @dev Makes the call now, whatever was called before.
    function again() external {
        called = false;
        onTransfer();
    }

    function onTransfer() public {
        if (called || target == address(0)) return;
        called = true;
        (succeeded, returned) = target.call(data);
    }
}

/// @dev A token in which balanceOf and transfer each cost some gas more than in OpenZeppelin's. To be etched over another.
contract ExpensiveToken is ERC20("", "") {
    uint256 private immutable _READING;
    uint256 private immutable _MOVING;

    constructor(uint256 reading, uint256 moving) {
        _READING = reading;
        _MOVING = moving;
    }

    function balanceOf(address account) public view override returns (uint256) {
        _burn(_READING);
        return super.balanceOf(account);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        _burn(_MOVING);
        return super.transfer(to, amount);
    }

    function _burn(uint256 amount) private view {
        uint256 before = gasleft();
        while (before - gasleft() < amount) {}
    }
}
