// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev A called contract that makes a given call before it returns.
contract Reentrant {
    address[] private _targets;
    bytes[] private _data;
    uint256 public succeeded;
    uint256 public tried;

    function arm(address target, bytes calldata data) external {
        _targets.push(target);
        _data.push(data);
    }

    function work() external payable {
        for (uint256 i; i < _targets.length; ++i) {
            ++tried;
            (bool success,) = _targets[i].call(_data[i]);
            if (success) ++succeeded;
        }
    }

    receive() external payable {
        this.work();
    }
}
