// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IEpochs} from "./interfaces/IEpochs.sol";

/// @title The epochs of accounts
/// @notice No owner, no upgrades, no dependencies: an account ends its own epochs, and anyone reads them. Not audited.
/// @dev The account is the innermost key of each mapping, so that its slots are its associated storage (ERC-7562,
/// STO-021) and validation may read them. Without arguments the address is the same on every network.
contract Epochs is IEpochs {
    mapping(uint8 kind => mapping(address account => uint32)) private _epochs;

    /// @dev The end of each epoch, because one that ended long ago must not seem to have ended with the latest.
    mapping(uint8 kind => mapping(uint32 epoch => mapping(address account => uint48))) private _ends;

    /// @inheritdoc IEpochs
    function raise(uint8 kind) external {
        uint32 epoch = _epochs[kind][msg.sender];
        uint48 end = uint48(block.timestamp);
        _ends[kind][epoch][msg.sender] = end;
        _epochs[kind][msg.sender] = epoch + 1;
        emit EpochEnded(msg.sender, kind, epoch, end);
    }

    /// @inheritdoc IEpochs
    function epochOf(address account, uint8 kind) external view returns (uint32) {
        return _epochs[kind][account];
    }

    /// @inheritdoc IEpochs
    function endOf(address account, uint8 kind, uint32 epoch) external view returns (uint48) {
        return _ends[kind][epoch][account];
    }
}
